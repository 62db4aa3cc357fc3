/*
 * Virtual signals: masks, dispositions and questions about them; see signals.h. hook_signal.c and hook_sigwait.c are
 * the calls.
 *
 * The kernel delivers only signals that an instruction of the program causes (crash.c), and simul's own. The kernel
 * ignores SIGPIPE; a hook whose call fails with EPIPE sends it.
 */
#include "preload/kernel/signal_state.h"

#include "preload/base/outside.h"
#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/kernel/signal_choice.h"
#include "preload/kernel/signal_default.h"
#include "preload/kernel/timers.h"
#include "preload/memory/interrupt.h"

#include "preload/base/rules.h"

struct thread_signals signal_threads[MAX_THREADS];

static struct disposition dispositions[N_SIG];

struct disposition *signals_disposition(int sig)
{
	return &dispositions[sig];
}

bool signals_is_ignored(int sig)
{
	void *h = dispositions[sig].handler;

	return h == (void *)SIG_IGN || (h == (void *)SIG_DFL && signal_default_ignores(sig));
}

bool signals_has_handler(int sig)
{
	void *h = dispositions[sig].handler;

	return h != (void *)SIG_IGN && h != (void *)SIG_DFL;
}

uint64_t signals_survived(void)
{
	uint64_t set = 0;

	for (int sig = 1; sig < N_SIG; sig++)
		if (dispositions[sig].handler != (void *)SIG_DFL)
			set |= SIG_BIT(sig);
	return set;
}

uint64_t signals_mask(thread_id t)
{
	return signal_threads[t].mask;
}

void signals_thread_created(thread_id child, thread_id parent)
{
	signal_threads[child] = (struct thread_signals){.mask = signal_threads[parent].mask};
	signal_choice_mask(parent, signal_threads[parent].mask);
	signal_choice_mask(child, signal_threads[child].mask);
	interrupt_created(child, signal_threads[parent].mask);
}

object_id signals_process_object(void)
{
	return ctl_object(OBJ_PROCESS, (const void *)2);
}

thread_id signals_choose_target(int sig)
{
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++)
		if (world_alive(ctl_world, t) && !(signal_threads[t].mask & SIG_BIT(sig)))
			return t;
	return NO_THREAD;
}

void signals_swap_mask(uint64_t mask)
{
	signal_threads[ctl_self()].mask = mask;
}

void signals_changed(int sig)
{
	struct disposition *d = &dispositions[sig];

	if (signals_is_ignored(sig))
		pending_drop(sig);
	pending_inform();
	ctl_session->ctl.execution.survived = signals_survived();
	if (sig == SIGCHLD) { /* only the kernel can reap children automatically */
		bool reap = d->handler == (void *)SIG_IGN || (d->flags & SA_NOCLDWAIT);
		struct sys_sigaction sa = {.handler = reap ? (void *)SIG_IGN : (void *)SIG_DFL};

		sys_sigaction(SIGCHLD, &sa, NULL);
		rewind_taint("change what the kernel does with signals");
	}
}

bool signals_is_awaited(int sig)
{
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++) {
		const struct op *op = ctl_pending(t);

		if (op && op->kind == EV_SIGNAL_WAIT && (op->arg[0] & SIG_BIT(sig)))
			return true;
	}
	return false;
}

bool signals_wait_ready(thread_id t, const struct op *op)
{
	uint64_t set = op->arg[0];

	if (op->flags & OPF_TIMED)
		return true;
	if (ctl_session->config.settings.discrete_time) /* in this model timers fire only when nothing else can happen */
		return signals_pending(t) & set;
	if (!set) /* only a handler ends pause and sigsuspend, and a timer may run one */
		return timers_next(t) != TIMERS_NEVER;
	return (signals_pending(t) & set) || timers_armed_for(set);
}
