/* A thread starts a process, by fork or by a system call past libc. Another thread waits for any child: the program fails if there is one
 * already. simul once said `complete` for the system call, which was no event.
 * check: bug kind=exit replays=1 : --exit any -- fork
 * check: bug kind=exit replays=1 : --exit any -- syscall
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *start(void *how)
{
	pid_t pid = strcmp(how, "fork") ? (pid_t)syscall(SYS_fork) : fork();

	assert(pid >= 0);
	if (!pid)
		_exit(0);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	assert(argc == 2 && !pthread_create(&t, NULL, start, argv[1]));
	int none = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
	assert(!pthread_join(t, NULL));
	wait(NULL);
	return !none;
}
