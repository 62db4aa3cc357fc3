/* Too many interleavings to explore. With the argument "orphan" it leaves processes behind. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

static void leave_orphan(void)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			execlp("sleep", "sleep", "98765", (char *)NULL);
		_exit(0);
	}
}

int main(int argc, char **argv)
{
	pthread_t t[4];

	if (argc > 1 && !strcmp(argv[1], "orphan"))
		leave_orphan();
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
