/* The stop byte may be written before the worker has looked at the flag, and drained with the work. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stop;

static void *worker(void *arg)
{
	char buf[8];

	for (;;) {
		ssize_t n = read(fds[0], buf, sizeof buf); /* takes all bytes */
		pthread_mutex_lock(&m);
		int done = stop;
		pthread_mutex_unlock(&m);
		if (n <= 0 || done)
			return NULL;
	}
}

int main(void)
{
	pthread_t t;

	if (pipe(fds))
		return 1;
	pthread_create(&t, NULL, worker, NULL);
	if (write(fds[1], "w", 1) != 1 || write(fds[1], "s", 1) != 1)
		return 1;
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
