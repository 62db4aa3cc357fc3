/* What the kernel must know of the program's signals for processes that the program starts; see signals.h. */
#include <signal.h>
#include <string.h>

#include "preload/base/real.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/control/thread_pointer.h"
#include "preload/kernel/signals.h"
#include "preload/base/rules.h"

static uint64_t kernel_mask;
static struct sys_sigaction kernel_action[N_SIG];

/* Returns whether the kernel's disposition differs from the program's. Of the signals that the program ignores, the kernel ignores only
   SIGCHLD. And the kernel always ignores SIGPIPE. */
static bool differs(int sig)
{
	return sig == SIGPIPE || (signals_disposition(sig)->handler == (void *)SIG_IGN && sig != SIGCHLD);
}

void signals_native_begin(void)
{
	thread_pointer_need();
	for (int sig = 1; sig < N_SIG; sig++) {
		bool ignored = signals_disposition(sig)->handler == (void *)SIG_IGN;
		struct sys_sigaction sa = {.handler = ignored ? (void *)SIG_IGN : (void *)SIG_DFL};

		if (differs(sig))
			sys_sigaction(sig, &sa, &kernel_action[sig]);
	}
	uint64_t mask = signals_mask(ctl_self());

	sys_sigprocmask(SIG_SETMASK, &mask, &kernel_mask);
}

void signals_native_end(void)
{
	sys_sigprocmask(SIG_SETMASK, &kernel_mask, NULL);
	for (int sig = 1; sig < N_SIG; sig++)
		if (differs(sig))
			sys_sigaction(sig, &kernel_action[sig], NULL);
}

void signals_become_native(void)
{
	thread_pointer_need();
	for (int sig = 1; sig < N_SIG; sig++) {
		const struct disposition *d = signals_disposition(sig);
		struct sigaction sa = {.sa_handler = (void (*)(int))d->handler, .sa_flags = (int)d->flags};

		memcpy(&sa.sa_mask, &d->mask, sizeof(d->mask));
		if (sig == SIGKILL || sig == SIGSTOP || sig == 32 || sig == 33 || sig == SIGTRAP /* crash.c */)
			continue;
		real_sigaction(sig, &sa, NULL); /* fails only for numbers that libc reserves */
	}
	uint64_t mask = signals_mask(ctl_self());

	sys_sigprocmask(SIG_SETMASK, &mask, NULL);
}
