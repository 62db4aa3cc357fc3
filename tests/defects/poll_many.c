/* A thread polls 300 pipes, and a child process writes to the last one after a while. simul once said `deadlock`: while no thread could
 * continue, it looked only at the first 256 descriptors.
 * check: complete traces=1 : --
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIPES 300

static struct pollfd fds[PIPES];

static void *wait_for_child(void *arg)
{
	int last = -1; /* the writing end of the last pipe */

	for (int i = 0; i < PIPES; i++) {
		int end[2];

		assert(pipe(end) == 0);
		fds[i] = (struct pollfd){.fd = end[0], .events = POLLIN};
		last = end[1];
	}
	pid_t child = fork();

	if (child == 0) {
		usleep(200000);
		_exit(write(last, "x", 1) != 1);
	}
	assert(poll(fds, PIPES, -1) == 1);
	assert(fds[PIPES - 1].revents == POLLIN);
	assert(waitpid(child, NULL, 0) == child);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_child, NULL);
	pthread_join(t, NULL);
	return 0;
}
