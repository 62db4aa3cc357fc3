/* errno and __thread variables belong to their thread, across every switch. */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static __thread int mine = 5;
static __thread char buffer[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	int id = *(int *)arg;

	mine += id;
	memset(buffer, 'a' + id, sizeof buffer);
	errno = 100 + id;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		if (errno != 100 + id || mine != 5 + id || buffer[63] != 'a' + id)
			_exit(1);
		pthread_mutex_unlock(&lock);
	}
	if (close(-1) != -1 || errno != EBADF)
		_exit(2);
	pthread_mutex_lock(&lock);
	if (errno != EBADF)
		_exit(3);
	pthread_mutex_unlock(&lock);
	return &mine;
}

int main(void)
{
	pthread_t t[2];
	int id[2] = { 1, 2 };
	void *addr[2];

	errno = 77;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, worker, &id[i]) != 0)
			return 4;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], &addr[i]);
	if (errno != 77 || mine != 5 || addr[0] == &mine || addr[1] == &mine)
		return 5;
	return 0;
}
