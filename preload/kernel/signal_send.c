/* Virtual signals: sending. */
#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/kernel/signal_choice.h"
#include "preload/kernel/signal_default.h"
#include "preload/kernel/signal_disposition.h"
#include "preload/kernel/signal_state.h"
#include "preload/memory/interrupt.h"
#include "sched/hb.h"

#include "preload/base/rules.h"

static bool is_blocked(thread_id to, int sig)
{
	return to == NO_THREAD || (signal_threads[to].mask & SIG_BIT(sig));
}

/* Returns whether it does nothing to send sig to this thread. */
static bool is_dropped(thread_id to, int sig)
{
	return signals_disposition(sig)->handler == (void *)SIG_IGN ||
	       (!is_blocked(to, sig) && signals_is_ignored(sig));
}

bool signals_is_dropped(int sig)
{
	return is_dropped(signals_choose_target(sig), sig);
}

/* Makes the signal pending, drops it, or takes the default action. p.t: the thread, if it is not sent to the
   process. */
static void post(struct pending_signal p)
{
	int sig = p.info.si_signo;

	if (p.process)
		p.t = signals_choose_target(sig);
	else if (!world_alive(ctl_world, p.t))
		return;
	if (is_dropped(p.t, sig))
		return;
	if (!is_blocked(p.t, sig) && !signals_has_handler(sig)) {
		signal_default(&p.info);
		return;
	}
	if (p.process && signals_has_handler(sig))
		signal_choice_sent(sig);
	pending_add(&p);
}

/* Returns a signal for thread t, or for the process if that is NO_THREAD, that no thread is known to have sent. */
static struct pending_signal signal_to(thread_id t, const siginfo_t *info)
{
	return (struct pending_signal){
		.process = t == NO_THREAD, .t = t, .by = NO_THREAD, .sender = NO_THREAD, .info = *info};
}

void signals_come_from_outside(void)
{
	struct session_sensors *sensors = ctl_segment(ctl_session->layout.sensors_off);

	sensors->outside_signals = 1;
}

void signals_post(thread_id t, const siginfo_t *info)
{
	signals_come_from_outside();
	post(signal_to(t, info));
}

void signals_send_self(const siginfo_t *info)
{
	thread_id t = ctl_self();

	mem_drain(NULL);
	if (!(signal_threads[t].mask & SIG_BIT(info->si_signo)))
		delivery_point(info->si_signo);
	disposition_reads(info->si_signo, NULL);
	struct pending_signal p = signal_to(t, info);

	p.by = t;
	p.from = interrupt_sent();
	post(p);
	if (pending_due(t))
		delivery_run(false);
}

/* Like signals_send, but runs no handler. `outside`: the running thread shows a signal from outside. */
static void send_event(thread_id t, bool process, bool outside, const siginfo_t *info, const void *pc)
{
	struct op op = ctl_op(EV_SIGNAL_SEND, pc);
	thread_id to = process ? signals_choose_target(info->si_signo) : t;

	op.obj[0] = world_thread_object(ctl_world, to == NO_THREAD ? 0 : to);
	op.obj[1] = process ? signals_process_object() : 0;
	op.arg[0] = (uint64_t)info->si_signo;
	disposition_sends(info->si_signo, &op);
	ctl_perform(&op);
	struct pending_signal p = signal_to(process ? NO_THREAD : t, info);

	if (outside) {
		p.sender = ctl_self();
		p.epoch = hb_epoch(ctl_hb, ctl_self());
	}
	if (info->si_signo)
		post(p);
}

void signals_send(thread_id t, bool process, const siginfo_t *info, const void *pc)
{
	send_event(t, process, false, info, pc);
	if (pending_due(ctl_self()))
		delivery_run(false);
}

void signals_arrive(const siginfo_t *info, const void *pc)
{
	signals_come_from_outside();
	send_event(NO_THREAD, true, true, info, pc);
}
