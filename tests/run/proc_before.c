/* A process starts a child before its first thread. One thread waits for the child; another writes its exit status to a pipe. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int to_child[2];
static pid_t child;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void count(void)
{
	pthread_mutex_lock(&mutex);
	done++;
	pthread_mutex_unlock(&mutex);
}

static void *waits(void *arg)
{
	int status;

	assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	count();
	return NULL;
}

static void *commands(void *arg)
{
	assert(write(to_child[1], "\7", 1) == 1);
	count();
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	assert(pipe(to_child) == 0);
	child = fork();
	if (child == 0) {
		char c = 0;
		_exit(read(to_child[0], &c, 1) == 1 ? c : 1);
	}
	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, commands, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(done == 2);
	return 0;
}
