/* A thread-local array of a megabyte, zero in each thread at its start. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static __thread char big[1 << 20];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	for (size_t i = 0; i < sizeof big; i += 4096)
		if (big[i] != 0)
			_exit(1);
	memset(big, *(char *)arg, sizeof big);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	for (size_t i = 0; i < sizeof big; i++)
		if (big[i] != *(char *)arg)
			_exit(2);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	char name[2] = { 'a', 'b' };

	memset(big, 'm', sizeof big);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 2; i++)
			if (pthread_create(&t[i], NULL, worker, &name[i]) != 0)
				return 3;
		for (int i = 0; i < 2; i++)
			pthread_join(t[i], NULL);
	}
	return big[12345] == 'm' ? 0 : 4;
}
