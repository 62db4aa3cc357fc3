/* A thread forks, by libc and by system calls. The child has the thread's variables; so has the parent. */
#include "own.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread long mine;

/* In the child: SIGSEGV has its default action, or is blocked. */
static void child(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	_exit(mine == 1 && errno == 41 ? 5 : 6);
}

static void *thread(void *arg)
{
	int status;
	mine = (long)arg;
	errno = 40 + (int)mine;
	step();
	if (mine == 1)
		for (int way = 0; way < 2; way++) {
			pid_t pid = way ? (pid_t)syscall(SYS_fork) : fork();
			if (!pid)
				child();
			step();
			assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 5);
		}
	assert(mine == (long)arg && errno == 40 + (int)mine);
	return NULL;
}

int main(void)
{
	in_threads(thread);
	return 0;
}
