/* See inline_calls.h. */
#include "enforce/lib/inline_calls.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "base/code_range.h"
#include "base/registers.h"
#include "base/user_dispatch.h"
#include "enforce/lib/gate.h"
#include "enforce/lib/hook_syscall.h"
#include "enforce/lib/real.h"

static struct code_range libc, own;
static __thread volatile char selector; /* the kernel reads it at each system call: 1: raise SIGSYS; 0: let it pass */

static long pass(long n, const long a[6])
{
	long r = REAL(syscall)(n, a[0], a[1], a[2], a[3], a[4], a[5]);

	return r == -1 ? -errno : r;
}

static long perform(long n, const long a[6])
{
	long r = syscall_of_program(n, a);

	return r == -1 ? -errno : r;
}

/* The call is performed on the stack of the thread that made it, and may wait there. */
static void on_call(int sig, siginfo_t *si, void *context)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	int saved = errno;
	long a[6];

	if (si->si_code != SYS_USER_DISPATCH) {
		(void)REAL(sigaction)(SIGSYS, &plain, NULL);
		(void)REAL(raise)(SIGSYS);
		return;
	}
	selector = 0;
	for (unsigned i = 0; i < 6; i++)
		a[i] = (long)context_argument(context, i);
	if (code_range_has(&own, context_pc(context)))
		context_set_result(context, pass(si->si_syscall, a));
	else
		context_set_result(context, perform(si->si_syscall, a));
	errno = saved;
	selector = 1;
}

void inline_calls_thread(void)
{
	sigset_t open;

	if (!gate_plan->inline_calls)
		return;
	sigemptyset(&open);
	sigaddset(&open, SIGSYS);
	(void)REAL(pthread_sigmask)(SIG_UNBLOCK, &open, NULL);
	if (REAL(prctl)(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, libc.lo, libc.hi - libc.lo,
		    &selector))
		gate_refuse("the certificate cannot be enforced: the program makes system calls by instructions, and "
			    "the kernel does not report them (syscall user dispatch, Linux 5.11 or later)");
	selector = 1;
}

void inline_calls_init(void)
{
	struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};

	if (!gate_plan->inline_calls)
		return;
	libc = code_range_of((const void *)(uintptr_t)REAL(_exit));
	own = code_range_of((const void *)(uintptr_t)inline_calls_init);
	(void)REAL(sigaction)(SIGSYS, &action, NULL);
	inline_calls_thread();
}
