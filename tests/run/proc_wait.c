/* Children that end on their own, after various times. The results of wait calls must not depend on these times. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ended, polls;

static pid_t start(int status)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now); /* the real one: the child is not controlled */
		usleep((unsigned)(now.tv_nsec / 1000 % 8 * 1000));
		_exit(status);
	}
	return pid;
}

static void count(int status, int expected)
{
	assert(WEXITSTATUS(status) == expected);
	pthread_mutex_lock(&mutex);
	ended++;
	pthread_mutex_unlock(&mutex);
}

static void *waits(void *arg)
{
	int status;
	pid_t pid = start(3);

	assert(waitpid(pid, &status, 0) == pid);
	count(status, 3);
	return NULL;
}

static void *polls_for_it(void *arg)
{
	int status;
	pid_t pid = start(4);

	while (waitpid(pid, &status, WNOHANG) == 0)
		polls++;
	count(status, 4);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, polls_for_it, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(ended == 2);
	return 0;
}
