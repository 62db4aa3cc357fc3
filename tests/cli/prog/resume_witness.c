/* Reports on descriptor 3 that it runs. simul does not undo writes to it. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *arg)
{
	for (int i = 0; i < 1; i++) {
		pthread_mutex_lock(&m);
		sum++;
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	if (write(3, "x\n", 2) != 2)
		sum = 0; /* no thread reads it */
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return write(3, "y\n", 2) == 2 && sum != 2;
}
