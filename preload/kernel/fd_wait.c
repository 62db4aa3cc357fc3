/*
 * Performs events on descriptors, and decides when an operation that waits for one is enabled.
 *
 * A poll with timeout zero shows whether a descriptor is ready. Simul does not control other processes: an operation that depends on them
 * gets a little real time before it counts as blocked. So executions with fast child processes are repeatable.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "preload/base/thread.h"
#include "preload/control/ctl.h"
#include "preload/failure/bug.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/other_processes.h"
#include "preload/kernel/own_files.h"
#include "preload/kernel/process.h"
#include "preload/kernel/signals.h"
#include "preload/kernel/stuck_processes.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"

#include "preload/base/rules.h"

#define NETWORK_MS 200        /* longest time for a packet on loopback */
#define EXTERNAL_MS 60000     /* after this real time without progress, other processes are assumed to be idle for good */
#define STUCK_MS 200          /* after this real time simul checks whether the awaited processes can end at all, and again after as long */
#define SLICE_MS 20
#define STEP_MS 2             /* what the kernel cannot wait for is looked at again after this real time */
#define GRANDCHILD_MS 200     /* simul checks at this interval whether a process that a child started still holds the pipe */
#define DISCRETE_MS 1000      /* longest real time that other processes get before virtual time passes (--time-model discrete) */
#define MAX_POLL 256

bool fd_nonblocking(int fd)
{
	long flags = sys_fcntl(fd, F_GETFL, 0);

	return !sys_failed(flags) && (flags & O_NONBLOCK);
}

/* ---- events ---- */

static void name_objects(struct op *op, const struct fd_wait *w)
{
	struct open_file *a = w->file[0], *b = w->file[1];

	if (w->roots && a)
		a = fd_root(a);
	if (w->roots && b)
		b = fd_root(b);
	if (!w->roots && a && !b)
		b = fd_root(a);
	op->obj[0] = a ? fd_object(a) : 0;
	op->obj[1] = b && b != a ? fd_object(b) : 0;
}

/* Sets the deadline of *op: its own, or the time when a timer that it watches is due, if that is earlier. Operations that never wait have
   no deadline. */
static void set_deadline(struct op *op, const struct fd_wait *w)
{
	uint64_t next = w->fds && op->kind != EV_FD_OTHER ? timerfd_next(w->fds, w->n) : TIMERS_NEVER;

	op->deadline = next < w->deadline ? next : w->deadline;
	op->flags = (op->flags & ~OPF_TIMED) | (w->timed || next != TIMERS_NEVER ? OPF_TIMED : 0);
}

int64_t fd_perform_op(struct op *op, struct fd_wait *w, bool restartable)
{
	op->arg[0] = (uintptr_t)w;
	op->type = (w->roots ? FILES_GROUPS : 0) | (w->changes ? FILES_CHANGES : 0);
	w->timed = op->flags & OPF_TIMED;
	w->deadline = op->deadline;
	if (op->kind != EV_SLEEP) /* a wait for no file */
		own_files_event(w, op->pc);
	name_objects(op, w);
	set_deadline(op, w);
	int64_t r = op->kind == EV_FD_OTHER ? ctl_perform(op) : signals_perform(op, restartable); /* EV_FD_OTHER never waits */

	process_wakeups += op->kind == EV_FD_WRITE || op->kind == EV_FD_OTHER;
	process_reads += op->kind == EV_FD_READ;
	if (w->file[0] && op->kind != EV_FD_POLL)
		w->file[0]->changes++;
	return r;
}

static bool has_changed(const struct fd_wait *w)
{
	return w->file[0]->changes != w->number;
}

/* The failed call has changed nothing. Otherwise two threads that wait would wake each other for ever. */
bool fd_await_change(struct open_file *f, const void *pc)
{
	struct op op = ctl_op(EV_FD_READ, pc);
	struct fd_wait w = {.file = {f, NULL}, .ready = has_changed, .number = --f->changes};

	op.flags = OPF_CANCELPOINT;
	op.deadline = OP_NO_DEADLINE;
	return fd_perform_op(&op, &w, true) != CTL_EINTR;
}

static bool waits_for_descriptors(const struct op *op)
{
	return op->kind == EV_FD_READ || op->kind == EV_FD_WRITE || op->kind == EV_FD_POLL;
}

static bool is_descriptor_op(const struct op *op)
{
	return waits_for_descriptors(op) || (op->kind == EV_FD_OTHER && op->arg[0]);
}

void fd_refresh_waits(void)
{
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++) {
		const struct op *pending = ctl_pending(t);

		if (!pending || !is_descriptor_op(pending))
			continue;
		struct op op = *pending;

		name_objects(&op, (const struct fd_wait *)(uintptr_t)op.arg[0]);
		set_deadline(&op, (const struct fd_wait *)(uintptr_t)op.arg[0]);
		if (op.obj[0] == pending->obj[0] && op.obj[1] == pending->obj[1] && op.flags == pending->flags &&
			op.deadline == pending->deadline)
			continue;
		world_withdraw(ctl_world, t);
		world_announce(ctl_world, t, &op);
	}
}

static void touch(struct open_file *f, bool ordered, const void *pc)
{
	struct op op = ctl_op(EV_FD_OTHER, pc);
	struct fd_wait w = {.file = {f, NULL}, .ordered = ordered};

	fd_perform_op(&op, &w, true);
}

void fd_touch(struct open_file *f, const void *pc)
{
	touch(f, false, pc);
}

void fd_touch_ordered(struct open_file *f, const void *pc)
{
	touch(f, true, pc);
}

void fd_join(struct open_file *f, struct open_file *g, bool ordered, const void *pc)
{
	if (fd_root(f) == fd_root(g))
		return;
	struct op op = ctl_op(EV_FD_OTHER, pc);
	struct fd_wait w = {.file = {f, g}, .roots = true, .ordered = ordered};

	fd_perform_op(&op, &w, true);
	if (fd_root(f) == fd_root(g)) /* another thread joined them during the event */
		return;
	fd_root(f)->group = fd_root(g);
	fd_refresh_waits();
}

/* poll reports an eventfd as writable if there is room for a one. */
static bool room_in_counter(const struct fd_wait *w)
{
	uint64_t n;

	return !fd_counter(w->fds[0].fd, &n) || n < UINT64_MAX - w->number;
}

int64_t fd_perform(struct open_file *f, const struct fd_request *req)
{
	struct pollfd p = {.fd = req->fd, .events = req->events};
	struct fd_wait w = {.file = {f, NULL}, .fds = &p, .n = 1, .external = f->external, .number = req->addend};
	bool try = req->flags & FD_TRY;
	struct op op = ctl_op(try && req->kind != EV_FD_POLL ? EV_FD_OTHER : req->kind, req->pc);

	w.ordered = req->flags & FD_ORDERED;
	w.changes = req->kind == EV_FD_POLL && f->kind == FILE_EPOLL;
	if (req->addend > 1)
		w.ready = room_in_counter;
	op.deadline = req->deadline;
	op.flags = OPF_CANCELPOINT;
	if (try || req->deadline != OP_NO_DEADLINE)
		op.flags |= OPF_TIMED;
	bool restartable = req->kind != EV_FD_POLL && req->deadline == OP_NO_DEADLINE; /* not with SO_RCVTIMEO or SO_SNDTIMEO */

	if (fd_perform_op(&op, &w, restartable) == CTL_EINTR)
		return CTL_EINTR;
	if (req->kind == EV_FD_READ || req->kind == EV_FD_POLL)
		process_settle();
	return 0;
}

/* ---- readiness ---- */

static bool poll_now(const struct fd_wait *w, int timeout)
{
	if (w->ready) {
		while (!w->ready(w)) {
			if (timeout <= 0)
				return false;
			sys_poll(NULL, 0, STEP_MS);
			timeout -= STEP_MS;
		}
		return true;
	}
	for (unsigned i = 0; i < w->n; i++)
		w->fds[i].revents = 0;
	return sys_poll(w->fds, w->n, timeout) > 0;
}

/* Asks the kernel about the descriptors of all threads that wait for some, in one call, once in each ctl_moment. What
   does not fit is asked for later. */
static void poll_for_all(void)
{
	static uint64_t last;
	static struct pollfd fds[MAX_POLL];
	static struct {
		struct fd_wait *w;
		unsigned first;
	} asked[MAX_POLL];
	unsigned n = 0, n_asked = 0, threads = ctl_threads();

	if (last == ctl_moment)
		return;
	last = ctl_moment;
	for (thread_id t = 0; t < threads; t++) {
		const struct op *op = ctl_pending(t);
		struct fd_wait *w = op && waits_for_descriptors(op) ? (struct fd_wait *)(uintptr_t)op->arg[0] : NULL;

		if (!w || w->ready || !w->n || w->n > MAX_POLL - n)
			continue;
		asked[n_asked].w = w;
		asked[n_asked++].first = n;
		for (unsigned i = 0; i < w->n; i++)
			fds[n++] = (struct pollfd){.fd = w->fds[i].fd, .events = w->fds[i].events};
	}
	if (sys_failed(sys_poll(fds, n, 0))) /* fails where a process may have few descriptors */
		return;
	for (unsigned k = 0; k < n_asked; k++) {
		struct fd_wait *w = asked[k].w;

		w->asked = ctl_moment;
		w->found = false;
		for (unsigned i = 0; i < w->n; i++)
			w->found |= fds[asked[k].first + i].revents != 0;
	}
}

/* Returns whether one of the descriptors is ready. */
static bool ready_now(struct fd_wait *w)
{
	if (w->ready || !w->n)
		return poll_now(w, 0);
	if (w->asked != ctl_moment)
		poll_for_all();
	return w->asked == ctl_moment ? w->found : poll_now(w, 0);
}

static bool ready_within(const void *what, unsigned ms)
{
	return poll_now(what, (int)ms);
}

/* Returns whether a poll with a limit of time finds nothing, and only events of threads can change that: no timer and
   no other process. */
static bool finds_nothing(const struct op *op, struct fd_wait *w)
{
	return op->kind == EV_FD_POLL && w->fds && !w->external && timerfd_next(w->fds, w->n) == TIMERS_NEVER &&
	       !ready_now(w) && !process_has_children();
}

static bool descriptor_ready(const struct op *op)
{
	struct fd_wait *w = (struct fd_wait *)(uintptr_t)op->arg[0];

	if (!w)
		return true;
	if (op->flags & OPF_TIMED)
		return !finds_nothing(op, w);
	if (w->patience.over)
		return process_patient(&w->patience, ready_within, w, op->pc);
	return ready_now(w) ||
	       ((w->external || process_has_children()) && process_patient(&w->patience, ready_within, w, op->pc));
}

bool fd_ready(void *ctx, thread_id t, const struct op *op)
{
	switch (event_kind_waits(op->kind)) {
	case WAITS_READY:
		return descriptor_ready(op);
	case WAITS_CHILD:
		return process_wait_ready(op);
	case WAITS_DELIVERY:
		return signals_wait_ready(t, op);
	case WAITS_NOTHING: /* the world decides whether these are enabled */
	case WAITS_CHANGE:
	case WAITS_LOCK:
	case WAITS_TOKEN:
	case WAITS_POST:
	case WAITS_END:
	case WAITS_ARRIVALS:
	case WAITS_ONCE:
	case WAITS_ASSUMPTION:
		break;
	}
	return true;
}

bool fd_would_wait(void *ctx, thread_id t, const struct op *op)
{
	struct op untimed = *op;
	const struct fd_wait *w = (const struct fd_wait *)(uintptr_t)op->arg[0];

	if (op->kind == EV_SIGNAL_WAIT)
		return !(signals_pending(t) & op->arg[0]);
	if (op->kind == EV_PROCESS_WAIT || !w || w->external || process_has_children())
		return true; /* the objects of the operation do not show when other processes make it ready */
	untimed.flags &= (uint8_t)~OPF_TIMED;
	return !descriptor_ready(&untimed);
}

/* ---- nothing is enabled ---- */

struct outside {
	struct pollfd fds[MAX_POLL]; /* the first of the descriptors that threads wait for */
	unsigned n;
	bool more;     /* threads wait for more descriptors than fds holds */
	bool network;  /* a thread waits for a socket, and a packet may be on its way */
	bool external; /* a thread waits for data of another process */
	bool stranger; /* that process need not be a child of the program */
	bool grandchild; /* a thread waits for data of a process that a child of the program started */
	bool children; /* a thread waits for a child to end */
};

/* Returns whether the pipe or socket pair is held by a process that a child of the program started. */
static bool held_by_grandchild(const struct open_file *f)
{
	if (!process_started)
		return false;
	if (f->kind == FILE_PAIR)
		return others_hold_file("socket", f->ino) || (f->other_ino && others_hold_file("socket", f->other_ino));
	return f->kind == FILE_PIPE && others_hold_file("pipe", f->ino);
}

static void collect_descriptors(const struct op *op, struct outside *o, bool children)
{
	const struct fd_wait *w = (const struct fd_wait *)(uintptr_t)op->arg[0];

	if (!w)
		return;
	if (w->ready) {
		o->more = true;
		o->external = o->external || children || (w->outside && w->outside(w));
		o->stranger = o->stranger || (w->outside && w->outside(w));
	}
	for (unsigned i = 0; i < w->n; i++) {
		struct open_file *f = w->fds[i].fd < 0 ? NULL : fd_lookup(w->fds[i].fd);

		if (!f)
			continue;
		if (w->ready) /* a descriptor that is ready for poll need not be ready for the operation */
			o->more = true;
		else if (o->n < MAX_POLL)
			o->fds[o->n++] = (struct pollfd){.fd = w->fds[i].fd, .events = w->fds[i].events};
		else
			o->more = true;
		o->network |= f->kind == FILE_NET || f->kind == FILE_EPOLL;
		o->external |= f->external || children;
		o->stranger |= f->external || f->kind == FILE_NET;
		o->grandchild = o->grandchild || (!o->external && held_by_grandchild(f));
	}
}

static void collect(struct outside *o)
{
	bool children = process_has_children();
	unsigned n = ctl_threads();

	o->n = 0;
	o->more = false;
	o->network = o->external = o->stranger = o->grandchild = o->children = false;
	for (thread_id t = 0; t < n; t++) {
		const struct op *op = ctl_pending(t);

		if (!op)
			continue;
		if (waits_for_descriptors(op))
			collect_descriptors(op, o, children);
		else if (op->kind == EV_PROCESS_WAIT)
			o->children |= children;
	}
	if (children && child_signals_to_come())
		o->children = true;
}

thread_id fd_awaits_process(void)
{
	static struct outside o;
	unsigned n = ctl_threads();
	thread_id t = 0;

	while (t < n && !(ctl_pending(t) && event_kind_object(ctl_pending(t)->kind) == OBJ_FD) &&
		!(ctl_pending(t) && ctl_pending(t)->kind == EV_PROCESS_WAIT))
		t++;
	if (t == n)
		return NO_THREAD; /* the usual case must cost no system call */
	bool children = process_has_children();
	for (; t < n; t++) {
		const struct op *op = ctl_pending(t);

		if (!op)
			continue;
		o.n = 0;
		o.external = o.grandchild = false;
		if (is_descriptor_op(op))
			collect_descriptors(op, &o, children);
		if (o.external || o.grandchild || (op->kind == EV_PROCESS_WAIT && children))
			return t;
	}
	return NO_THREAD;
}

static bool some_child_ready(void)
{
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++) {
		const struct op *op = ctl_pending(t);

		if (op && op->kind == EV_PROCESS_WAIT && process_wait_ready(op))
			return true;
	}
	return child_signals_idle();
}

/* Waits until an awaited descriptor is ready, for SLICE_MS at most. Returns whether one is ready. */
static bool some_descriptor_ready(struct outside *o)
{
	unsigned n = ctl_threads();

	if (sys_poll(o->fds, o->n, SLICE_MS) > 0)
		return true;
	for (thread_id t = 0; o->more && t < n; t++) {
		const struct op *op = ctl_pending(t);
		const struct fd_wait *w = op && waits_for_descriptors(op) ? (const struct fd_wait *)(uintptr_t)op->arg[0] : NULL;

		if (w && poll_now(w, 0))
			return true;
	}
	return false;
}

/* Fires one timer, of the thread with the lowest id. */
static bool fire_descriptor_timer(void)
{
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++) {
		const struct op *op = ctl_pending(t);
		const struct fd_wait *w = op && is_descriptor_op(op) ? (const struct fd_wait *)(uintptr_t)op->arg[0] : NULL;

		if (w && w->fds && timerfd_fire_idle(t, w->fds, w->n))
			return true;
	}
	return false;
}

/* Notes for the message of the deadlock which process a thread waits for. `stuck`: it waits for ever for a lock. */
static void name_process(bool stuck)
{
	unsigned n = ctl_threads();

	for (thread_id t = 0; t < n; t++) {
		const struct op *op = ctl_pending(t);

		if (!op || op->kind != EV_PROCESS_WAIT)
			continue;
		const struct child_wait *w = (const struct child_wait *)(uintptr_t)op->arg[0];

		bug_waits_for_process(t, w->idtype == P_PID ? (pid_t)w->id : 0, (process_real_time() - w->began) / 1000000, stuck);
		return;
	}
}

/* Returns whether the processes that threads wait for can never end or write. Such a process has waited for a lock at both of two looks. */
static bool never_end(const struct outside *o, unsigned waited_ms)
{
	static pid_t before;
	pid_t first;

	if (!o->children || o->stranger || !waited_ms || waited_ms % STUCK_MS)
		return false;
	bool stuck = stuck_processes(&first), again = stuck && waited_ms > STUCK_MS && first == before;

	before = stuck ? first : 0;
	return again;
}

bool fd_wait_external(void)
{
	static struct outside o;
	uint64_t left, deadline = world_late_deadline(ctl_world, &left);
	bool time_ends_wait = ctl_session->config.settings.discrete_time && deadline != OP_NO_DEADLINE;
	int limit, waited = 0;

	collect(&o);
	if (timers_fire_idle(time_ends_wait ? deadline : OP_NO_DEADLINE) || (!time_ends_wait && fire_descriptor_timer()))
		return true;
	/* always one slice after the program has started a process, which may have written data during collect() */
	limit = o.external || o.grandchild || o.children ? EXTERNAL_MS : o.network ? NETWORK_MS : process_started ? SLICE_MS : 0;
	if (time_ends_wait && limit > DISCRETE_MS) /* the threads wait for time as well as for other processes */
		limit = DISCRETE_MS;
	if (time_ends_wait && left / 1000000 < (uint64_t)limit)
		limit = (int)(left / 1000000);
	while (limit) {
		if (some_child_ready())
			return true;
		bool stuck = never_end(&o, (unsigned)waited);

		if (waited >= limit || stuck) {
			name_process(stuck);
			return false;
		}
		if (some_descriptor_ready(&o))
			return true;
		waited += SLICE_MS;
		if (o.grandchild && waited % GRANDCHILD_MS == 0) {
			collect(&o);
			if (!o.external && !o.grandchild && !o.children)
				return some_descriptor_ready(&o);
		}
	}
	return false;
}
