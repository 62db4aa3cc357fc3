/* The pid is the same before and after threads exist; each thread has its own tid. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t before, tid;

static void *thread(void *arg)
{
	assert(getpid() == before);
	tid = gettid();
	return NULL;
}

int main(void)
{
	pthread_t t;
	pid_t up = getppid();

	before = getpid();
	assert(gettid() == before);
	assert(pthread_create(&t, NULL, thread, NULL) == 0);
	pthread_join(t, NULL);
	assert(tid != before && getpid() == before && gettid() == before && getppid() == up);
	assert(kill(before, 0) == 0);
	pid_t pid = fork();
	if (pid == 0)
		_exit(getpid() != before && gettid() == getpid() ? 0 : 1);
	int status;
	assert(waitpid(pid, &status, 0) == pid && status == 0);
	return 0;
}
