/* fork from a second thread: fork handlers, memory and the exit status of the child. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int prepared, in_parent, in_child;

static void prepare(void)
{
	pthread_mutex_lock(&m);
	prepared++;
}

static void parent(void)
{
	in_parent++;
	pthread_mutex_unlock(&m);
}

static void child(void)
{
	in_child++;
	pthread_mutex_unlock(&m);
}

static void *forker(void *arg)
{
	int status;
	pid_t pid = fork();

	assert(pid >= 0);
	if (pid == 0) {
		char *p = malloc(100000);
		memset(p, 1, 100000);
		free(p);
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
		_exit(in_child == 1 && prepared == 1 && in_parent == 0 ? 42 : 1);
	}
	assert(waitpid(pid, &status, 0) == pid);
	assert(WIFEXITED(status) && WEXITSTATUS(status) == 42);
	assert(prepared == 1 && in_parent == 1 && in_child == 0);
	assert(waitpid(pid, &status, 0) == -1 && errno == ECHILD);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_atfork(prepare, parent, child);
	pthread_mutex_lock(&m);
	assert(pthread_create(&t, NULL, forker, NULL) == 0);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
