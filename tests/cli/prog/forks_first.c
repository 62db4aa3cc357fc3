/* Runs its threads in a child process, as test frameworks do to survive crashes. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void *thread(void *arg) { return arg; }

int main(void)
{
	pthread_t t;
	int status = 1;

	if (fork() == 0) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		_exit(3);
	}
	wait(&status);
	return WEXITSTATUS(status);
}
