/* A child process creates threads, and its first thread ends by pthread_exit. The certificate does not cover the child. */
#include <sys/wait.h>
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *a)
{
	pthread_mutex_lock(&lock);
	n++;
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	pid_t child = fork();
	int status;

	if (child)
		assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	run_two(add, add);
	assert(n == 2);
	if (!child)
		pthread_exit(NULL);
	return 0;
}
