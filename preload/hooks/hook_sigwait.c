/* Waiting for signals: sigwait and its variants take a pending signal; pause and sigsuspend wait until a handler has run. */
#include "preload/base/real.h"

#include <errno.h>
#include <signal.h>

#include "preload/accesses/ranges.h"
#include "preload/control/ctl.h"
#include "preload/hooks/hook_fail.h"
#include "preload/hooks/signal_sets.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

/*
 * Waits for a signal of `bits` until the deadline (OP_NO_DEADLINE: for ever). Returns its number, or -errno. Like every timed operation, a
 * timed wait times out if it cannot succeed at the moment when its thread is scheduled.
 */
static int wait_for(uint64_t bits, uint64_t deadline, siginfo_t *info, const void *pc)
{
	child_signals_at_rest(pc);
	for (uint8_t begun = 0;; begun = OPF_BEGUN) {
		struct op op = ctl_op(EV_SIGNAL_WAIT, pc);

		op.obj[0] = world_thread_object(ctl_world, ctl_self());
		op.obj[1] = signals_process_object();
		op.arg[0] = bits;
		op.deadline = deadline;
		op.flags = OPF_CANCELPOINT | begun | (deadline == OP_NO_DEADLINE ? 0 : OPF_TIMED);
		if (signals_perform(&op, false) == CTL_EINTR)
			return -EINTR;
		if (signals_take(ctl_self(), bits, info))
			return info->si_signo;
		uint64_t timer = timers_next(ctl_self());

		if (deadline <= timer) {
			world_advance(ctl_world, ctl_self(), deadline);
			return -EAGAIN;
		}
		/* A timer comes before the deadline. Its signal ends the wait, because it is in the set, or a handler runs. */
		world_advance(ctl_world, ctl_self(), timer);
		if (timers_fire_due(timer))
			return -EINTR;
	}
}

/* Returns the signals of the set, without those that cannot be waited for. */
static uint64_t bits_of(const sigset_t *set)
{
	return signal_mask_of(set) & ~(SIG_BIT(SIGKILL) | SIG_BIT(SIGSTOP));
}

int sigwait(const sigset_t *restrict set, int *restrict sig)
{
	siginfo_t info;
	int r;

	if (!ctl_enter())
		return real_sigwait(set, sig);
	do
		r = wait_for(bits_of(set), OP_NO_DEADLINE, &info, __builtin_return_address(0));
	while (r == -EINTR);
	ctl_leave();
	range_put(sig, &r, sizeof(r), (uintptr_t)__builtin_return_address(0));
	return 0;
}

static int wait_info(const sigset_t *set, siginfo_t *out, uint64_t deadline, const void *pc)
{
	siginfo_t info;
	int r = wait_for(bits_of(set), deadline, &info, pc);

	if (r < 0)
		return hook_fail(-r);
	ctl_leave();
	if (info.si_code == SI_TKILL) /* as in glibc */
		info.si_code = SI_USER;
	if (out)
		range_put(out, &info, sizeof(info), (uintptr_t)pc);
	return r;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict out)
{
	if (!ctl_enter())
		return real_sigwaitinfo(set, out);
	return wait_info(set, out, OP_NO_DEADLINE, __builtin_return_address(0));
}

static int timed_wait(const sigset_t *set, siginfo_t *out, const struct timespec *ts, const void *pc)
{
	if (ts && !vtime_valid(ts))
		return hook_fail(EINVAL);
	return wait_info(set, out, ts ? ctl_deadline_rel(ts) : OP_NO_DEADLINE, pc);
}

int sigtimedwait(
	const sigset_t *restrict set, siginfo_t *restrict out, const struct timespec *restrict ts)
{
	if (!ctl_enter())
		return real_sigtimedwait(set, out, ts);
	return timed_wait(set, out, ts, __builtin_return_address(0));
}

int __sigtimedwait(
	const sigset_t *restrict set, siginfo_t *restrict out, const struct timespec *restrict ts)
{
	if (!ctl_enter())
		return real_sigtimedwait(set, out, ts);
	return timed_wait(set, out, ts, __builtin_return_address(0));
}

/* ---- until a handler has run ---- */

/* Waits with this signal mask until a handler has run. Returns -1 with EINTR. Call it after ctl_enter; it calls ctl_leave. */
static int suspend(uint64_t mask, const void *pc)
{
	uint64_t was = signals_begin_masked(mask, pc);
	bool interrupted = false;
	uint8_t begun = 0;

	while (!interrupted) {
		struct op op = ctl_op(EV_SIGNAL_WAIT, pc);

		op.obj[0] = world_thread_object(ctl_world, ctl_self());
		op.obj[1] = signals_process_object();
		op.flags = OPF_CANCELPOINT | begun;
		begun = OPF_BEGUN;
		interrupted = signals_perform(&op, false) == CTL_EINTR;
		if (!interrupted) {
			uint64_t timer = timers_next(ctl_self());

			world_advance(ctl_world, ctl_self(), timer);
			interrupted = timers_fire_due(timer);
		}
	}
	signals_end_masked(was);
	return hook_fail(EINTR);
}

int pause(void)
{
	if (!ctl_enter())
		return real_pause();
	return suspend(signals_mask(ctl_self()), __builtin_return_address(0));
}

int sigsuspend(const sigset_t *set)
{
	if (!ctl_enter())
		return real_sigsuspend(set);
	return suspend(bits_of(set), __builtin_return_address(0));
}

int __sigsuspend(const sigset_t *set)
{
	if (!ctl_enter())
		return real_sigsuspend(set);
	return suspend(bits_of(set), __builtin_return_address(0));
}

/* Implements both old forms of sigpause. `word` is a mask of 32 signals (BSD), or with is_sig a signal to remove from the mask (X/Open). */
int __sigpause(int word, int is_sig)
{
	if (!ctl_enter())
		return real___sigpause(word, is_sig);
	uint64_t mask = signals_mask(ctl_self());

	if (is_sig && (word < 1 || word > 64))
		return hook_fail(EINVAL);
	return suspend(is_sig ? mask & ~SIG_BIT(word) : (uint32_t)word, __builtin_return_address(0));
}

int sigpause(int word)
{
	return __sigpause(word, 0);
}

int __xpg_sigpause(int sig)
{
	return __sigpause(sig, 1);
}
