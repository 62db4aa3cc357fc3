/*
 * Dispositions and masks of signals. The model is in kernel/signal_state.c. hook_kill.c sends signals, hook_sigwait.c waits for them.
 */
#include "preload/base/real.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/hooks/hook_fail.h"
#include "preload/hooks/signal_sets.h"
#include "preload/kernel/signal_disposition.h"
#include "preload/kernel/signal_stack.h"
#include "preload/kernel/signals.h"

#include "preload/base/rules.h"

/* ---- dispositions ---- */

static int do_sigaction(int sig, const struct sigaction *act, struct sigaction *old, const void *pc)
{
	struct disposition *d;

	if (!signal_usable(sig) || (act && (sig == SIGKILL || sig == SIGSTOP)))
		return hook_fail(EINVAL);
	d = signals_disposition(sig);
	if (act && (void *)act->sa_handler != d->handler)
		signals_before_mask(signals_mask(ctl_self()) | SIG_BIT(sig), NULL); /* until here the old handler may run */
	if (act)
		disposition_changes(sig, pc);
	else
		disposition_reads(sig, pc);
	struct disposition was = *d;
	if (act) {
		d->handler = (void *)act->sa_handler;
		d->flags = (unsigned)act->sa_flags;
		d->mask = signal_mask_of(&act->sa_mask);
		signals_changed(sig);
	}
	if (old) {
		memset(old, 0, sizeof(*old));
		old->sa_handler = (void (*)(int))was.handler;
		old->sa_flags = (int)was.flags;
		signal_fill_set(&old->sa_mask, was.mask);
	}
	ctl_leave();
	return 0;
}

int sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	return ctl_enter() ? do_sigaction(sig, act, old, __builtin_return_address(0)) : real_sigaction(sig, act, old);
}

int __sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	return ctl_enter() ? do_sigaction(sig, act, old, __builtin_return_address(0)) : real_sigaction(sig, act, old);
}

static hook_signal_fn do_signal(int sig, hook_signal_fn handler, int flags, const void *pc)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = flags}, old;

	if (handler == SIG_ERR) {
		hook_fail(EINVAL);
		return SIG_ERR;
	}
	if (!(flags & SA_NODEFER) && signal_usable(sig))
		sigaddset(&sa.sa_mask, sig);
	return do_sigaction(sig, &sa, &old, pc) ? SIG_ERR : old.sa_handler;
}

hook_signal_fn signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SA_RESTART, __builtin_return_address(0)) : real_signal(sig, handler);
}

hook_signal_fn bsd_signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SA_RESTART, __builtin_return_address(0)) : real_signal(sig, handler);
}

hook_signal_fn ssignal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SA_RESTART, __builtin_return_address(0)) : real_signal(sig, handler);
}

#define SYSV_FLAGS (SA_RESETHAND | SA_NODEFER | SA_INTERRUPT)

hook_signal_fn sysv_signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SYSV_FLAGS, __builtin_return_address(0)) : real_sysv_signal(sig, handler);
}

hook_signal_fn __sysv_signal(int sig, hook_signal_fn handler)
{
	return ctl_enter() ? do_signal(sig, handler, SYSV_FLAGS, __builtin_return_address(0)) : real_sysv_signal(sig, handler);
}

int siginterrupt(int sig, int interrupt)
{
	if (!ctl_enter())
		return real_siginterrupt(sig, interrupt);
	if (!signal_usable(sig))
		return hook_fail(EINVAL);
	disposition_changes(sig, __builtin_return_address(0));
	if (interrupt)
		signals_disposition(sig)->flags &= ~(unsigned)SA_RESTART;
	else
		signals_disposition(sig)->flags |= SA_RESTART;
	ctl_leave();
	return 0;
}

int sigignore(int sig)
{
	struct sigaction sa = {.sa_handler = SIG_IGN};

	return ctl_enter() ? do_sigaction(sig, &sa, NULL, __builtin_return_address(0)) : real_sigignore(sig);
}

/* ---- masks ---- */

/* Does what pthread_sigmask does. Returns 0 or an errno value. Call it after ctl_enter; it calls ctl_leave. */
static int do_mask(int how, const sigset_t *set, sigset_t *old, const void *pc)
{
	uint64_t was = signals_mask(ctl_self()), bits = set ? signal_mask_of(set) : 0;
	int err = 0;

	if (old)
		signal_fill_set(old, was);
	if (set && (how == SIG_BLOCK || how == SIG_SETMASK))
		signals_before_mask(how == SIG_BLOCK ? was | bits : bits, pc);
	if (set && how == SIG_BLOCK)
		signals_set_mask_and_run(was | bits);
	else if (set && how == SIG_UNBLOCK)
		signals_set_mask_and_run(was & ~bits);
	else if (set && how == SIG_SETMASK)
		signals_set_mask_and_run(bits);
	else if (set)
		err = EINVAL;
	ctl_leave();
	return err;
}

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	return ctl_enter() ? do_mask(how, set, old, __builtin_return_address(0)) : real_pthread_sigmask(how, set, old);
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	if (!ctl_enter())
		return real_sigprocmask(how, set, old);
	int err = do_mask(how, set, old, __builtin_return_address(0));

	if (!err)
		return 0;
	errno = err;
	return -1;
}

static int mask_one(int how, int sig, const void *pc)
{
	sigset_t set;

	if (!signal_usable(sig))
		return hook_fail(EINVAL);
	signal_fill_set(&set, SIG_BIT(sig));
	return do_mask(how, &set, NULL, pc);
}

int sighold(int sig)
{
	return ctl_enter() ? mask_one(SIG_BLOCK, sig, __builtin_return_address(0)) : real_sighold(sig);
}

int sigrelse(int sig)
{
	return ctl_enter() ? mask_one(SIG_UNBLOCK, sig, NULL) : real_sigrelse(sig);
}

static int mask_word(int how, int word, const void *pc)
{
	uint64_t was = signals_mask(ctl_self());
	sigset_t set;

	signal_fill_set(&set, (uint32_t)word);
	do_mask(how, &set, NULL, pc);
	return (int)(uint32_t)was;
}

int sigblock(int word)
{
	return ctl_enter() ? mask_word(SIG_BLOCK, word, __builtin_return_address(0)) : real_sigblock(word);
}

int sigsetmask(int word)
{
	return ctl_enter() ? mask_word(SIG_SETMASK, word, __builtin_return_address(0)) : real_sigsetmask(word);
}

int siggetmask(void)
{
	return ctl_enter() ? mask_word(SIG_BLOCK, 0, __builtin_return_address(0)) : real_siggetmask();
}

int sigpending(sigset_t *set)
{
	if (!ctl_enter())
		return real_sigpending(set);
	signal_fill_set(set, signals_pending(ctl_self()) & signals_mask(ctl_self()));
	ctl_leave();
	return 0;
}

hook_signal_fn sigset(int sig, hook_signal_fn handler)
{
	struct sigaction old;

	if (!ctl_enter())
		return real_sigset(sig, handler);
	if (!signal_usable(sig) || handler == SIG_ERR) {
		hook_fail(EINVAL);
		return SIG_ERR;
	}
	bool held = signals_mask(ctl_self()) & SIG_BIT(sig);
	struct sigaction sa = {.sa_handler = handler};
	bool hold = handler == SIG_HOLD;

	if (do_sigaction(sig, hold ? NULL : &sa, &old, __builtin_return_address(0)))
		return SIG_ERR;
	ctl_force_enter();
	mask_one(hold ? SIG_BLOCK : SIG_UNBLOCK, sig, __builtin_return_address(0));
	return held ? SIG_HOLD : old.sa_handler;
}

/* ---- alternate stacks: for handlers of faults ---- */

#define ALT_AUTODISARM (1 << 31) /* SS_AUTODISARM of <linux/signal.h> */

int sigaltstack(const stack_t *restrict new, stack_t *restrict old)
{
	if (!ctl_enter())
		return real_sigaltstack(new, old);
	stack_t *mine = signal_stack_of(ctl_self()), was = *mine;

	if (!was.ss_sp)
		was.ss_flags = SS_DISABLE;
	if (new && (new->ss_flags & ~(SS_DISABLE | ALT_AUTODISARM)))
		return hook_fail(EINVAL);
	if (new && !(new->ss_flags & SS_DISABLE) && new->ss_size < 2048)
		return hook_fail(ENOMEM);
	if (new)
		*mine = new->ss_flags & SS_DISABLE ? (stack_t){0} : *new;
	if (old)
		*old = was;
	ctl_leave();
	return 0;
}
