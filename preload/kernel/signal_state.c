/*
 * Virtual signals: state and delivery; see signals.h. hook_signal.c and hook_sigwait.c are the calls.
 *
 * All of this is private memory, so it belongs to the execution. The kernel delivers only signals that an instruction of the program causes
 * (crash.c), and simul's own. The kernel ignores SIGPIPE; a hook whose call fails with EPIPE sends it.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/control/thread_pointer.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/process.h"
#include "preload/memory/interrupt.h"
#include "preload/accesses/mem.h"
#include "preload/base/outside.h"
#include "preload/kernel/signal_choice.h"
#include "preload/kernel/signal_default.h"
#include "preload/kernel/signal_disposition.h"
#include "preload/kernel/signals.h"
#include "sched/hb.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"

#include "preload/base/rules.h"

#define MAX_PENDING 1024 /* the kernel allows more; a program that needs more is refused */
#define NEVER_BLOCKED (SIG_BIT(SIGKILL) | SIG_BIT(SIGSTOP))

/* Signal handlers that run on a thread. This struct lies on the stack of that thread. */
struct frame {
	struct frame *outer;
	uint64_t mask;  /* the thread's mask before the handlers */
	bool suspended; /* the handlers interrupt an operation, which continues afterwards */
	bool interrupts; /* the running handler came at a place that the thread did not choose */
};

static struct thread_signals {
	uint64_t mask;
	struct frame *frames; /* innermost first */
	bool no_restart;      /* SA_RESTART does not restart the thread's operation */
	bool masked;          /* in a call that has set another mask until it returns */
	bool delivering;      /* about to handle a signal: no handler runs before that */
} threads[MAX_THREADS];

static struct pending {
	bool process; /* the signal was sent to the process */
	thread_id t;  /* the thread that is to handle the signal; NO_THREAD: none yet */
	thread_id by; /* the thread that sent the signal to itself, in the epoch `from`; NO_THREAD: another thread sent it */
	uint32_t from;
	thread_id sender; /* the thread that showed a signal from outside, in its epoch `epoch`; NO_THREAD: none did */
	uint32_t epoch;
	siginfo_t info;
} pending[MAX_PENDING]; /* in order of arrival */
static unsigned n_pending;

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

uint64_t signals_mask(thread_id t)
{
	return threads[t].mask;
}

void signals_thread_created(thread_id child, thread_id parent)
{
	threads[child] = (struct thread_signals){.mask = threads[parent].mask};
	signal_choice_mask(parent, threads[parent].mask);
	signal_choice_mask(child, threads[child].mask);
	interrupt_created(child, threads[parent].mask);
}

object_id signals_process_object(void)
{
	return ctl_object(OBJ_PROCESS, (const void *)2);
}

/* ---- pending signals ---- */

static bool is_for(const struct pending *p, thread_id t)
{
	return p->t == t || (p->process && p->t == NO_THREAD);
}

uint64_t signals_pending(thread_id t)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < n_pending; i++)
		if (pending[i].process || pending[i].t == t)
			set |= SIG_BIT(pending[i].info.si_signo);
	return set;
}

static void remove_at(unsigned i)
{
	n_pending--;
	memmove(&pending[i], &pending[i + 1], (n_pending - i) * sizeof(pending[0]));
}

/* Takes t's first pending signal of `set`. `any`: includes signals to the process that another thread is to handle (sigwait). */
static bool take_pending(thread_id t, uint64_t set, bool any, struct pending *out)
{
	unsigned best = MAX_PENDING;

	for (unsigned i = 0; i < n_pending; i++) {
		const struct pending *p = &pending[i];

		if (!(set & SIG_BIT(p->info.si_signo)) || !(is_for(p, t) || (any && p->process)))
			continue;
		if (best == MAX_PENDING || p->info.si_signo < pending[best].info.si_signo)
			best = i;
	}
	if (best == MAX_PENDING)
		return false;
	*out = pending[best];
	remove_at(best);
	return true;
}

/* Returns the first signal pending for t that this mask does not block; 0: none. */
static int first_due(thread_id t, uint64_t mask)
{
	int first = 0;

	for (unsigned i = 0; i < n_pending; i++) {
		int sig = pending[i].info.si_signo;

		if (is_for(&pending[i], t) && !(mask & SIG_BIT(sig)) && (!first || sig < first))
			first = sig;
	}
	return first;
}

static int due(thread_id t)
{
	return first_due(t, threads[t].mask);
}

/* Informs the world for each thread whether a handler is due on it. */
static void inform_world(void)
{
	static bool known[MAX_THREADS];
	static unsigned n_known; /* threads below this one may be known */
	unsigned n = ctl_threads();

	if (n > n_known)
		n_known = n;
	for (thread_id t = 0; t < n_known; t++) {
		bool now = due(t) != 0 && !threads[t].delivering;

		if (now != known[t] && world_alive(ctl_world, t)) {
			world_set_signal_pending(ctl_world, t, now);
			known[t] = now;
		}
	}
}

thread_id signals_choose_target(int sig)
{
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++)
		if (world_alive(ctl_world, t) && !(threads[t].mask & SIG_BIT(sig)))
			return t;
	return NO_THREAD;
}

/* Call it when a mask has changed. Chooses the threads for signals to the process again. */
static void retarget(void)
{
	for (unsigned i = 0; i < n_pending; i++) {
		struct pending *p = &pending[i];

		if (p->process && (p->t == NO_THREAD || !world_alive(ctl_world, p->t) ||
					  (threads[p->t].mask & SIG_BIT(p->info.si_signo))))
			p->t = signals_choose_target(p->info.si_signo);
	}
	inform_world();
}

static void add_pending(const struct pending *p)
{
	int sig = p->info.si_signo;
	bool queued = sig >= SIGRTMIN;

	for (unsigned i = 0; i < n_pending && !queued; i++)
		if (pending[i].info.si_signo == sig && pending[i].process == p->process && (p->process || pending[i].t == p->t)) {
			if (pending[i].sender == NO_THREAD) {
				pending[i].sender = p->sender;
				pending[i].epoch = p->epoch;
			}
			pending[i].by = NO_THREAD; /* the two signals are merged: the handler may run as early as either of them allows */
			return;
		}
	if (n_pending == MAX_PENDING)
		ctl_refuse("the program has more than %d signals pending at a time", MAX_PENDING);
	pending[n_pending++] = *p;
	ctl_returning |= p->sender != NO_THREAD;
	inform_world();
}

/* ---- delivery ---- */

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
	threads[ctl_self()].mask = mask;
	interrupt_mask(mask);
	retarget();
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
static bool run_handler(struct pending *p)
{
	siginfo_t *info = &p->info;
	struct thread_signals *me = &threads[ctl_self()];
	struct disposition d = dispositions[info->si_signo];
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
		dispositions[info->si_signo].handler = (void *)SIG_DFL;
	bool timer = signal_is_timers(info);
	uint32_t from = timer ? timers_fired_from(info->si_signo) : p->by == ctl_self() ? p->from : 0;
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

/* The scheduling point before the running thread handles sig. Signals that the handler will block can still arrive here, and another sig
   that is sent here is merged with this one. */
static void before_handler(int sig)
{
	struct op op = ctl_op(EV_SIGNAL_MASK, NULL);

	if (ctl_past_checkpoint && signals_has_handler(sig))
		ctl_perform(&op);
}

/* The running thread is about to handle sig. */
static void delivery(int sig)
{
	struct thread_signals *me = &threads[ctl_self()];

	me->delivering = true;
	inform_world();
	if (dispositions[sig].flags & SA_RESETHAND)
		disposition_changes(sig, NULL);
	else
		disposition_reads(sig, NULL);
	me->delivering = false;
	inform_world();
}

/* Runs the handlers that are due on the running thread, which was at a scheduling point just before. `suspended`: they interrupt an
   operation. Returns whether all of them restart it. */
static bool run_all(bool suspended)
{
	thread_id t = ctl_self();
	struct frame f = {threads[t].frames, threads[t].mask, suspended, false};
	bool restart = true;
	struct pending p;

	threads[t].frames = &f;
	for (bool first = true; due(t); first = false) {
		if (!first)
			before_handler(due(t));
		mem_drain(NULL); /* a handler starts with an empty store buffer */
		if (ctl_past_checkpoint)
			delivery(due(t));
		if (!take_pending(t, ~threads[t].mask, false, &p))
			break;
		inform_world();
		bool ends = threads[t].no_restart && signals_has_handler(p.info.si_signo);
		restart &= run_handler(&p) && !ends;
	}
	threads[t].frames = f.outer;
	inform_world();
	return restart;
}

bool signals_interrupt(thread_id t)
{
	for (const struct frame *f = threads[t].frames; f; f = f->outer)
		if (f->interrupts)
			return true;
	return false;
}

bool signals_run_pending(void)
{
	return run_all(true);
}

void signals_unwind_to(uintptr_t sp, const void *pc)
{
	struct thread_signals *me = &threads[ctl_self()];

	interrupt_unwind(sp);
	while (me->frames && (uintptr_t)me->frames < sp) {
		struct frame f = *me->frames;

		me->frames = f.outer;
		ctl_note_handler(HANDLER_JUMPS, pc);
		set_mask(f.mask);
		if (f.suspended) {
			world_resume(ctl_world, ctl_self());
			if (world_queued(ctl_world, ctl_self()))
				ctl_refuse("the program jumps out of a signal handler that interrupted pthread_cond_wait: "
					   "what becomes of the wait is undefined");
			world_withdraw(ctl_world, ctl_self());
		}
	}
	retarget();
}

int64_t signals_perform(struct op *op, bool restartable)
{
	op->flags |= OPF_INTERRUPTIBLE | (threads[ctl_self()].masked ? OPF_BEGUN : 0);
	return signals_perform_wait(op, restartable);
}

int64_t signals_perform_wait(struct op *op, bool restartable)
{
	struct thread_signals *me = &threads[ctl_self()];

	me->no_restart = !restartable;
	int64_t r = ctl_perform(op);

	me->no_restart = false;
	return r;
}

bool signals_take(thread_id t, uint64_t set, siginfo_t *out)
{
	struct pending p;
	bool got = take_pending(t, set, true, &p);

	if (got)
		*out = p.info;
	inform_world();
	return got;
}

/* A scheduling point if one of these signals has a handler that could run here. */
static void handlers_point(uint64_t set, const void *pc)
{
	uint64_t now = set & ~threads[ctl_self()].mask & ~NEVER_BLOCKED;
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
	struct thread_signals *me = &threads[ctl_self()];
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
	threads[ctl_self()].masked = false;
	signals_set_mask_and_run(was);
}

void signals_swap_mask(uint64_t mask)
{
	threads[ctl_self()].mask = mask;
}

void signals_set_mask(uint64_t mask)
{
	set_mask(mask & ~NEVER_BLOCKED);
	signal_choice_mask(ctl_self(), mask & ~NEVER_BLOCKED);
}

void signals_set_mask_and_run(uint64_t mask)
{
	int sig = first_due(ctl_self(), mask);

	if (sig)
		before_handler(sig);
	signals_set_mask(mask);
	if (due(ctl_self()))
		run_all(false);
}

void signals_changed(int sig)
{
	struct disposition *d = &dispositions[sig];

	for (unsigned i = 0; signals_is_ignored(sig) && i < n_pending;) {
		if (pending[i].info.si_signo == sig)
			remove_at(i);
		else
			i++;
	}
	inform_world();
	if (sig == SIGCHLD) { /* only the kernel can reap children automatically */
		bool reap = d->handler == (void *)SIG_IGN || (d->flags & SA_NOCLDWAIT);
		struct sys_sigaction sa = {.handler = reap ? (void *)SIG_IGN : (void *)SIG_DFL};

		sys_sigaction(SIGCHLD, &sa, NULL);
		rewind_taint("change what the kernel does with signals");
	}
}

/* ---- sending ---- */

static const struct pending no_origin = {.by = NO_THREAD, .sender = NO_THREAD};

/* Like signals_post. Other members of *like than t, process and info are as in struct pending. */
static void post(thread_id t, const siginfo_t *info, const struct pending *like)
{
	int sig = info->si_signo;
	bool process = t == NO_THREAD;
	thread_id to = process ? signals_choose_target(sig) : t;
	bool blocked = to == NO_THREAD || (threads[to].mask & SIG_BIT(sig));

	if (!process && !world_alive(ctl_world, t))
		return;
	if (!blocked && signals_is_ignored(sig))
		return;
	if (!blocked && !signals_has_handler(sig)) {
		signal_default(info);
		return;
	}
	if (dispositions[sig].handler == (void *)SIG_IGN)
		return;
	if (process && signals_has_handler(sig))
		signal_choice_sent(sig);
	struct pending p = *like;

	p.process = process;
	p.t = to;
	p.info = *info;
	add_pending(&p);
}

void signals_come_from_outside(void)
{
	struct session_sensors *sensors = ctl_segment(ctl_session->layout.sensors_off);

	sensors->outside_signals = 1;
}

void signals_post(thread_id t, const siginfo_t *info)
{
	signals_come_from_outside();
	post(t, info, &no_origin);
}

void signals_send_self(const siginfo_t *info)
{
	thread_id t = ctl_self();

	mem_drain(NULL);
	if (!(threads[t].mask & SIG_BIT(info->si_signo)))
		before_handler(info->si_signo);
	disposition_reads(info->si_signo, NULL);
	post(t, info, &(struct pending){.by = t, .from = interrupt_sent(), .sender = NO_THREAD});
	if (due(t))
		run_all(false);
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
	struct pending like = no_origin;

	if (outside) {
		like.sender = ctl_self();
		like.epoch = hb_epoch(ctl_hb, ctl_self());
	}
	if (info->si_signo)
		post(process ? NO_THREAD : t, info, &like);
}

void signals_send(thread_id t, bool process, const siginfo_t *info, const void *pc)
{
	send_event(t, process, false, info, pc);
	if (due(ctl_self()))
		run_all(false);
}

void signals_arrive(const siginfo_t *info, const void *pc)
{
	signals_come_from_outside();
	send_event(NO_THREAD, true, true, info, pc);
}

/* Returns a signal that must be handled before the running thread continues, since its arrival happens before that;
   0: there is none. */
static int overdue(thread_id t)
{
	bool some = false;

	for (unsigned i = 0; i < n_pending; i++) {
		const struct pending *p = &pending[i];

		some |= p->sender != NO_THREAD;
		if (p->sender != NO_THREAD && is_for(p, t) && !(threads[t].mask & SIG_BIT(p->info.si_signo)) &&
			(p->sender == t || hb_seen(ctl_hb, t, p->sender) >= p->epoch))
			return p->info.si_signo;
	}
	ctl_returning = some;
	return 0;
}

void signals_returning(void)
{
	thread_id t = ctl_self();

	if (threads[t].masked || threads[t].delivering || !overdue(t))
		return;
	int error = errno;

	before_handler(overdue(t));
	run_all(false);
	errno = error;
}

bool signals_is_dropped(int sig)
{
	thread_id to = signals_choose_target(sig);
	bool blocked = to == NO_THREAD || (threads[to].mask & SIG_BIT(sig));

	return dispositions[sig].handler == (void *)SIG_IGN || (!blocked && signals_is_ignored(sig));
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
