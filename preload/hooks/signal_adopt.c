/*
 * Takes over the signal state from the time before control began. The kernel holds that state: constructors of other libraries may have
 * changed it, and a wrapper may have left a timer running or signals blocked. It moves to the model once.
 */
#include <signal.h>
#include <string.h>

#include "base/session.h"
#include "preload/hooks/signal_sets.h"
#include "preload/kernel/signal_stack.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"
#include "preload/base/rules.h"

/* Signals that the kernel must deliver to simul even when the program blocks them. */
#define NEEDED                                                                                                          \
	(SIG_BIT(SIGSEGV) | SIG_BIT(SIGBUS) | SIG_BIT(SIGFPE) | SIG_BIT(SIGILL) | SIG_BIT(SIGABRT) | SIG_BIT(SIGTRAP) | SIG_BIT(SIGSYS) | \
		SIG_BIT(SIGNAL_HANG))

/* Moves the disposition of a signal to the model. The kernel must not run the program's handlers, so they are removed there. A signal that
   is ignored stays ignored in the kernel. */
static void adopt_disposition(int sig)
{
	struct sys_sigaction old, none = {.handler = (void *)SIG_DFL};
	struct disposition *d = signals_disposition(sig);

	if (!signal_usable(sig) || sys_sigaction(sig, NULL, &old) || old.handler == (void *)SIG_DFL)
		return;
	*d = (struct disposition){old.handler, (unsigned)(old.flags & ~SYS_SA_RESTORER), old.mask};
	if (old.handler == (void *)SIG_IGN)
		return;
	if (sig == SIGCHLD && (old.flags & SA_NOCLDWAIT)) /* the kernel reaps children by itself */
		none.handler = (void *)SIG_IGN;
	sys_sigaction(sig, &none, NULL);
}

/* Takes the signals of `mask` that are pending in the kernel and makes them pending in the model. */
static void adopt_pending(uint64_t mask)
{
	const struct timespec now = {0};
	uint64_t set = 0;
	siginfo_t info;

	sys_call2(SYS_rt_sigpending, (long)&set, SYS_SIGSET);
	set &= mask;
	while (set && sys_call4(SYS_rt_sigtimedwait, (long)&set, (long)&info, (long)&now, SYS_SIGSET) > 0)
		signals_post(info.si_code == SI_TKILL ? 0 : NO_THREAD, &info);
}

void signals_adopt(void)
{
	const struct sys_sigaction ignore = {.handler = (void *)SIG_IGN};
	const uint64_t needed = NEEDED;
	uint64_t mask = 0;

	for (int sig = 1; sig < N_SIG; sig++)
		adopt_disposition(sig);
	sys_sigaction(SIGPIPE, &ignore, NULL); /* from here on, a hook whose call fails with EPIPE sends the signal */
	sys_sigprocmask(SIG_BLOCK, NULL, &mask);
	signals_set_mask(mask);
	adopt_pending(mask);
	sys_sigprocmask(SIG_UNBLOCK, &needed, NULL);
	signal_stack_adopt();
	timers_adopt();
}
