/* See fork.h. */
#include "preload/life/fork.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "preload/base/dispatch.h"
#include "preload/base/state.h"
#include "preload/base/sys.h"
#include "preload/control/fiber.h"
#include "preload/base/rules.h"

/* The program's disposition of SIGCHLD, while the kernel has another one. Private memory, so a child inherits it. */
static struct sys_sigaction programs;
static bool replaced;

static void make_default(void)
{
	struct sys_sigaction now, usual = { .handler = (void *)SIG_DFL };
	if (sys_sigaction(SIGCHLD, NULL, &now) || (now.handler != (void *)SIG_IGN && !(now.flags & SA_NOCLDWAIT)))
		return;
	programs = now;
	replaced = true;
	sys_sigaction(SIGCHLD, &usual, NULL);
}

static void make_programs(void)
{
	if (replaced)
		sys_sigaction(SIGCHLD, &programs, NULL);
	replaced = false;
}

long execution_fork(void)
{
	make_default();
	long me = sys_getpid(), pid = sys_fork();
	if (pid > 0)
		return pid;
	make_programs();
	if (pid)
		return pid;
	sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
	if (sys_call0(SYS_getppid) != me) /* the parent died before the prctl, so the signal will not come */
		sys_exit_group(0);
	fiber_after_fork();
	dispatch_on(ctl_selector);
	return 0;
}

int execution_await(pid_t pid)
{
	int status = 0;
	long r;
	while ((r = sys_wait4(pid, &status, 0, NULL)) == -EINTR)
		;
	if (sys_failed(r))
		ctl_refuse("cannot wait for the process of an execution: %s", strerrordesc_np((int)-r));
	return status;
}
