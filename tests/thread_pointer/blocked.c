/* Threads that block SIGSEGV, or all signals, use thread-local variables; a program that they start inherits the
   mask. */
#include "own.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
static __thread long mine;

static void *thread(void *arg)
{
	sigset_t all;
	pid_t pid;
	int status;
	char *const argv[] = {"true", NULL};
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	mine = (long)arg;
	step();
	assert(mine == (long)arg);
	step();
	assert(!posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ));
	assert(waitpid(pid, &status, 0) == pid && status == 0);
	assert(mine == (long)arg);
	return NULL;
}

int main(void)
{
	in_threads(thread);
	return 0;
}
