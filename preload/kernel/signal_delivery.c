/* Virtual signals: running the handlers of those that are due, and the places where they run. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "preload/accesses/mem.h"
#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/control/thread_pointer.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/signal_choice.h"
#include "preload/kernel/signal_default.h"
#include "preload/kernel/signal_disposition.h"
#include "preload/kernel/signal_state.h"
#include "preload/kernel/timers.h"
#include "preload/memory/interrupt.h"

#include "preload/base/rules.h"

/* ---- one handler ---- */

static void call_handler(const struct disposition *d, siginfo_t *info, uint64_t old_mask)
{
	int sig = info->si_signo;

	if (!(d->flags & SA_SIGINFO)) {
		((void (*)(int))d->handler)(sig);
		return;
	}
	ucontext_t uc;

	getcontext(&uc);
	memset(&uc.uc_sigmask, 0, sizeof(uc.uc_sigmask));
	memcpy(&uc.uc_sigmask, &old_mask, sizeof(old_mask));
	((void (*)(int, siginfo_t *, void *))d->handler)(sig, info, &uc);
}

/* Sets the running thread's mask. Does not run the handlers that this unblocks. */
static void set_mask(uint64_t mask)
{
	signal_threads[ctl_self()].mask = mask;
	interrupt_mask(mask);
	pending_retarget();
}

/* Records a write to errno if the handler left another value in it. */
static void note_errno(int before)
{
	ctl_inside = 0; /* the program makes the access, not simul */
	if (errno != before)
		mem_note((uintptr_t)&errno, sizeof(errno), MEM_WRITE);
	ctl_inside = 1;
}

/* Runs the handler of *p on the running thread. Returns whether it was installed with SA_RESTART. */
static bool run_handler(struct pending_signal *p)
{
	siginfo_t *info = &p->info;
	struct thread_signals *me = &signal_threads[ctl_self()];
	struct disposition d = *signals_disposition(info->si_signo);
	uint64_t old = me->mask;
	bool no_restart = me->no_restart, masked = me->masked;
	thread_pointer_need();
	int error = errno;
	struct interrupt running;

	if (d.handler == (void *)SIG_DFL) {
		signal_default(info);
		return true;
	}
	if (d.handler == (void *)SIG_IGN)
		return true;
	if (d.flags & SA_RESETHAND)
		signals_disposition(info->si_signo)->handler = (void *)SIG_DFL;
	bool timer = signal_is_timers(info);
	uint32_t from = p->by == ctl_self() ? p->from : 0;
	if (timer)
		from = timers_fired_from(info->si_signo);
	interrupt_begin(&running, SIG_BIT(info->si_signo), from, timer);
	set_mask(old | d.mask | (d.flags & SA_NODEFER ? 0 : SIG_BIT(info->si_signo)));
	signal_choice_handler(ctl_self(), me->mask);
	me->frames->interrupts = p->by != ctl_self();
	me->masked = false; /* the calls of the handler have the handler's mask */
	ctl_leave();
	call_handler(&d, info, old);
	ctl_force_enter();
	note_errno(error);
	interrupt_end(&running);
	set_mask(old);
	me->no_restart = no_restart;
	me->masked = masked;
	return d.flags & SA_RESTART;
}

void delivery_point(int sig)
{
	struct op op = ctl_op(EV_SIGNAL_MASK, NULL);

	if (ctl_past_checkpoint && signals_has_handler(sig))
		ctl_perform(&op);
}

/* ---- those that are due ---- */

/* The running thread is about to handle sig. */
static void delivery(int sig)
{
	struct thread_signals *me = &signal_threads[ctl_self()];

	me->delivering = true;
	pending_inform();
	if (signals_disposition(sig)->flags & SA_RESETHAND)
		disposition_changes(sig, NULL);
	else
		disposition_reads(sig, NULL);
	me->delivering = false;
	pending_inform();
}

bool delivery_run(bool suspended)
{
	thread_id t = ctl_self();
	struct signal_frame f = {signal_threads[t].frames, signal_threads[t].mask, suspended, false};
	bool restart = true;
	struct pending_signal p;

	signal_threads[t].frames = &f;
	for (bool first = true; pending_due(t); first = false) {
		if (!first)
			delivery_point(pending_due(t));
		mem_drain(NULL); /* a handler starts with an empty store buffer */
		if (ctl_past_checkpoint)
			delivery(pending_due(t));
		if (!pending_take(t, ~signal_threads[t].mask, false, &p))
			break;
		pending_inform();
		bool ends = signal_threads[t].no_restart && signals_has_handler(p.info.si_signo);
		restart &= run_handler(&p) && !ends;
	}
	signal_threads[t].frames = f.outer;
	pending_inform();
	return restart;
}

bool signals_interrupt(thread_id t)
{
	for (const struct signal_frame *f = signal_threads[t].frames; f; f = f->outer)
		if (f->interrupts)
			return true;
	return false;
}

bool signals_run_pending(void)
{
	return delivery_run(true);
}

void signals_returning(void)
{
	thread_id t = ctl_self();

	if (signal_threads[t].masked || signal_threads[t].delivering || !pending_overdue(t))
		return;
	int error = errno;

	delivery_point(pending_overdue(t));
	delivery_run(false);
	errno = error;
}

void signals_unwind_to(uintptr_t sp, const void *pc)
{
	struct thread_signals *me = &signal_threads[ctl_self()];

	interrupt_unwind(sp);
	while (me->frames && (uintptr_t)me->frames < sp) {
		struct signal_frame f = *me->frames;

		me->frames = f.outer;
		ctl_note_handler(HANDLER_JUMPS, pc);
		set_mask(f.mask);
		if (f.suspended) {
			world_resume(ctl_world, ctl_self());
			if (world_queued(ctl_world, ctl_self()))
				ctl_refuse("the program jumps out of a signal handler that interrupted "
					   "pthread_cond_wait: what becomes of the wait is undefined");
			world_withdraw(ctl_world, ctl_self());
		}
	}
	pending_retarget();
}

int64_t signals_perform(struct op *op, bool restartable)
{
	op->flags |= OPF_INTERRUPTIBLE | (signal_threads[ctl_self()].masked ? OPF_BEGUN : 0);
	return signals_perform_wait(op, restartable);
}

int64_t signals_perform_wait(struct op *op, bool restartable)
{
	struct thread_signals *me = &signal_threads[ctl_self()];

	me->no_restart = !restartable;
	int64_t r = ctl_perform(op);

	me->no_restart = false;
	return r;
}

/* A scheduling point if one of these signals has a handler that could run here. */
static void handlers_point(uint64_t set, const void *pc)
{
	uint64_t now = set & ~signal_threads[ctl_self()].mask & ~NEVER_BLOCKED;
	struct op op = ctl_op(EV_SIGNAL_MASK, pc);

	if (!ctl_past_checkpoint)
		return;
	for (int sig = 1; sig < N_SIG; sig++)
		if ((now & SIG_BIT(sig)) && signals_has_handler(sig)) {
			ctl_perform(&op);
			return;
		}
}

void signals_before_mask(uint64_t mask, const void *pc)
{
	handlers_point(mask, pc);
}

uint64_t signals_begin_masked(uint64_t mask, const void *pc)
{
	struct thread_signals *me = &signal_threads[ctl_self()];
	uint64_t was = me->mask;

	mask &= ~NEVER_BLOCKED;
	child_signals_at_rest(pc);
	if (mask == was)
		return was;
	handlers_point(~UINT64_C(0), pc);
	me->masked = true;
	signals_set_mask(mask);
	return was;
}

void signals_end_masked(uint64_t was)
{
	signal_threads[ctl_self()].masked = false;
	signals_set_mask_and_run(was);
}

void signals_set_mask(uint64_t mask)
{
	set_mask(mask & ~NEVER_BLOCKED);
	signal_choice_mask(ctl_self(), mask & ~NEVER_BLOCKED);
}

void signals_set_mask_and_run(uint64_t mask)
{
	int sig = pending_first(ctl_self(), mask);

	if (sig)
		delivery_point(sig);
	signals_set_mask(mask);
	if (pending_due(ctl_self()))
		delivery_run(false);
}
