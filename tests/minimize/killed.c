/* Where T0.1 is in time, a process outside kills this one: always, or only once for the key of a counter in shared memory. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, key;

static void outside(void)
{
	int *n = key ? shmat(shmget(key, sizeof *n, IPC_CREAT | 0600), NULL, 0) : NULL;

	if (!n || !(*n)++)
		kill(getppid(), SIGKILL);
	_exit(0);
}

static void *other(void *arg)
{
	pthread_mutex_lock(&m);
	if (x) {
		pid_t pid = fork();

		if (!pid)
			outside();
		waitpid(pid, NULL, 0);
	}
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	key = argc > 1 ? atoi(argv[1]) : 0;
	pthread_create(&t, NULL, other, NULL);
	pthread_mutex_lock(&m);
	x = 1;
	pthread_mutex_unlock(&m);
	x = 0;
	pthread_join(t, NULL);
}
