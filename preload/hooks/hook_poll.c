/*
 * poll and epoll_wait: one event on the files that they watch. A call with a timeout never waits: when nothing is ready at the moment
 * when its thread is scheduled, virtual time moves to the deadline.
 */
#include "preload/base/real.h"

#include <errno.h>
#include <string.h>

#include "preload/accesses/landing.h"
#include "preload/control/ctl.h"
#include "preload/kernel/descriptors.h"
#include "preload/kernel/child_signals.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/own_files.h"
#include "preload/kernel/process.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/poll.h"
#include "preload/hooks/signal_sets.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

#define MOST_POLLED (1 << 20) /* no process can have that many descriptors: the call fails */

/* The objects of the event. An event has at most two, so more than two files are joined to a group first. */
struct watched {
	struct open_file *file[2];
	unsigned n; /* number of different files; file[] holds the first two */
	bool external; /* another process may be at the other end of one of these files */
	bool strangers; /* some descriptors are closed, or refer to files that no certificate orders */
	bool roots; /* file[] are groups */
};

static void watch(struct watched *s, struct open_file *f)
{
	s->external |= f->external;
	for (unsigned i = 0; i < s->n && i < 2; i++)
		if (s->file[i] == f)
			return;
	if (s->n < 2)
		s->file[s->n] = f;
	s->n++;
}

static void watch_all(struct watched *s, const struct pollfd *fds, unsigned n, bool roots)
{
	*s = (struct watched){.roots = roots};
	for (unsigned i = 0; i < n; i++) {
		struct open_file *f = fds[i].fd < 0 ? NULL : fd_lookup(fds[i].fd);

		s->strangers |= fds[i].fd >= 0 && (!f || !own_files_is_one(f));
		if (f && f->kind != FILE_RANDOM)
			watch(s, roots ? fd_root(f) : f);
	}
}

/* Fills in *s. When more than two objects are watched, it joins all of them to one group. */
static void gather(struct watched *s, const struct pollfd *fds, unsigned n, bool masked, const void *pc)
{
	watch_all(s, fds, n, false);
	if (s->n > 2)
		watch_all(s, fds, n, true);
	if (s->n <= 2)
		return;
	struct open_file *group = fd_new(FILE_GROUP, -1);

	for (unsigned i = 0; i < n; i++) {
		struct open_file *f = fds[i].fd < 0 ? NULL : fd_lookup(fds[i].fd);

		if (f && f->kind != FILE_RANDOM)
			fd_join(f, group, !s->strangers && !masked, pc);
	}
	watch_all(s, fds, n, true);
}

struct pollfd *poll_hold(struct pollfd *fds, unsigned n, const void *pc)
{
	struct pollfd *held = NULL;

	for (unsigned i = 0; i < n; i++) {
		int fd = descriptor_hold(fds[i].fd, pc);

		if (fd == fds[i].fd)
			continue;
		if (!held) {
			held = ctl_alloc(n * sizeof(*held));
			memcpy(held, fds, n * sizeof(*held));
		}
		held[i].fd = fd;
	}
	return held ? held : fds;
}

void poll_release(struct pollfd *fds, struct pollfd *held, unsigned n)
{
	if (held == fds)
		return;
	bool inside = ctl_inside;

	ctl_inside = 1;
	for (unsigned i = 0; i < n; i++)
		descriptor_release(fds[i].fd, held[i].fd);
	ctl_free(held, n * sizeof(*held));
	ctl_inside = inside;
}

int64_t poll_wait(struct pollfd *fds, unsigned n, uint64_t deadline, bool masked, const void *pc)
{
	struct watched s;

	gather(&s, fds, n, masked, pc);
	struct fd_wait w = {.fds = fds, .n = n, .external = s.external, .roots = s.roots};
	struct op op = ctl_op(EV_FD_POLL, pc);

	w.ordered = !s.strangers && !masked;
	if (s.n == 0 && deadline != OP_NO_DEADLINE) {
		op.kind = EV_SLEEP; /* only time can end this wait */
	} else {
		w.file[0] = s.n ? s.file[0] : fd_network();
		w.file[1] = s.n == 2 ? s.file[1] : NULL;
	}
	op.deadline = deadline;
	op.flags = OPF_CANCELPOINT | (deadline == OP_NO_DEADLINE ? 0 : OPF_TIMED);
	if (deadline != OP_NO_DEADLINE)
		child_signals_at_rest(pc);
	int64_t r = fd_perform_op(&op, &w, false);

	if (r != CTL_EINTR)
		process_settle();
	return r;
}

static uint64_t deadline_ms(int ms)
{
	return ms < 0 ? OP_NO_DEADLINE : vtime_add(vtime_now(), (uint64_t)ms * 1000000);
}

bool poll_timed_out(uint64_t deadline)
{
	uint64_t timer = timers_next(ctl_self());
	uint64_t until = timer < deadline ? timer : deadline;

	if (deadline == OP_NO_DEADLINE)
		return false;
	world_advance(ctl_world, ctl_self(), until);
	return timers_fire_due(until);
}

/* ---- poll ---- */

long poll_now(struct pollfd *fds, struct pollfd *held, unsigned n, uint64_t deadline)
{
	long r = sys_poll(held, n, 0);

	if (r == 0 && timerfd_elapse(held, n, deadline))
		r = sys_poll(held, n, 0);
	for (unsigned i = 0; held != fds && !sys_failed(r) && i < n; i++)
		fds[i].revents = held[i].revents;
	return r;
}

static int poll_held(struct pollfd *fds, struct pollfd *held, nfds_t n, uint64_t deadline, bool masked, const void *pc)
{
	for (;;) {
		if (poll_wait(held, (unsigned)n, deadline, masked, pc) == CTL_EINTR)
			return hook_fail(EINTR);
		long r = poll_now(fds, held, (unsigned)n, deadline);

		if (sys_failed(r))
			return hook_fail((int)-r);
		if (r == 0 && poll_timed_out(deadline))
			return hook_fail(EINTR);
		if (r > 0 || deadline != OP_NO_DEADLINE)
			return (int)fd_done(r);
	}
}

static int do_poll(struct pollfd *fds, nfds_t n, uint64_t deadline, bool masked, const void *pc)
{
	struct pollfd *held = poll_hold(fds, (unsigned)n, pc);
	int r = poll_held(fds, held, n, deadline, masked, pc), err = errno;

	poll_release(fds, held, (unsigned)n);
	errno = err;
	return r;
}

/* Returns the array that the call uses: the program's, or a copy if its results must not be written before the wait. */
static struct pollfd *array_begin(struct landing *l, struct pollfd *fds, nfds_t n, const void *pc)
{
	struct pollfd *at = landing_begin(l, fds, n < MOST_POLLED ? n * sizeof(*fds) : 0, (uintptr_t)pc);

	if (at != fds)
		memcpy(at, fds, l->n);
	return at;
}

/* Reports the results of a call that has returned r: a call that does not fail writes all `revents`. Returns r and keeps errno. */
static int array_end(struct landing *l, int r, const void *pc)
{
	struct pollfd *to = l->to, *at = l->at;

	for (size_t i = 0; r >= 0 && watched() && i < l->n / sizeof(*to); i++)
		range_put(&to[i].revents, &at[i].revents, sizeof(to[i].revents), (uintptr_t)pc);
	landing_end(l, 0, (uintptr_t)pc);
	return r;
}

static int seen_poll(struct pollfd *fds, nfds_t n, int ms, const void *pc)
{
	struct landing l;
	struct pollfd *at = array_begin(&l, fds, n, pc);

	return ctl_enter() ? array_end(&l, do_poll(at, n, deadline_ms(ms), false, pc), pc) : real_poll(fds, n, ms);
}

int poll(struct pollfd *fds, nfds_t n, int ms)
{
	return seen_poll(fds, n, ms, __builtin_return_address(0));
}

int __poll(struct pollfd *fds, nfds_t n, int ms)
{
	return seen_poll(fds, n, ms, __builtin_return_address(0));
}

int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room)
{
	if (room / sizeof(*fds) < n)
		return real___poll_chk(fds, n, ms, room);
	return seen_poll(fds, n, ms, __builtin_return_address(0));
}

uint64_t poll_mask_begin(const sigset_t *set, const void *pc)
{
	return set ? signals_begin_masked(signal_mask_of(set), pc) : 0;
}

int poll_mask_end(const sigset_t *set, uint64_t was, int r)
{
	int err = errno;

	if (set && ctl_enter()) {
		signals_end_masked(was);
		ctl_leave();
	}
	errno = err;
	return r;
}

uint64_t poll_deadline(const struct timespec *ts)
{
	return ts ? ctl_deadline_rel(ts) : OP_NO_DEADLINE;
}

static int seen_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *ts, const sigset_t *set, const void *pc)
{
	struct landing l;
	struct pollfd *at = array_begin(&l, fds, n, pc);

	if (!ctl_enter())
		return real_ppoll(fds, n, ts, set);
	if (ts && !vtime_valid(ts))
		return array_end(&l, hook_fail(EINVAL), pc);
	uint64_t was = poll_mask_begin(set, pc);

	return array_end(&l, poll_mask_end(set, was, do_poll(at, n, poll_deadline(ts), set, pc)), pc);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *ts, const sigset_t *set)
{
	return seen_ppoll(fds, n, ts, set, __builtin_return_address(0));
}

int __ppoll_chk(
	struct pollfd *fds, nfds_t n, const struct timespec *ts, const sigset_t *set, size_t room)
{
	if (room / sizeof(*fds) < n)
		return real___ppoll_chk(fds, n, ts, set, room);
	return seen_ppoll(fds, n, ts, set, __builtin_return_address(0));
}

/* ---- epoll ---- */

static int do_epoll_ctl(int ep, int cmd, int fd, struct epoll_event *ev, const void *pc)
{
	descriptor_looked_up(fd, pc);
	struct open_file *e = fd_lookup(ep), *f = fd_lookup(fd);

	if (e && f && cmd == EPOLL_CTL_ADD)
		fd_join(f, e, false, pc);
	if (e)
		fd_touch(e, pc);
	if (e && f && fd_lookup(fd) != f) /* closed since it was looked up: what epoll knows of it ends then */
		return (int)fd_done(0);
	int r = real_epoll_ctl(ep, cmd, fd, ev);

	if (r == 0 && e)
		fd_epoll_changed(e, cmd, fd, ev);
	return (int)fd_done(r);
}

int epoll_ctl(int ep, int cmd, int fd, struct epoll_event *ev)
{
	if (!ctl_enter())
		return real_epoll_ctl(ep, cmd, fd, ev);
	const void *pc = __builtin_return_address(0);

	return WITH_DESCRIPTOR(ep, held, pc, do_epoll_ctl(held, cmd, fd, ev, pc));
}

static int do_epoll(int ep, struct epoll_event *out, int max, uint64_t deadline, const void *pc)
{
	struct open_file *e = fd_lookup(ep);

	if (!e || e->kind != FILE_EPOLL || max <= 0)
		return (int)fd_done(real_epoll_wait(ep, out, max, 0)); /* the real call fails with the right error */
	for (;;) {
		struct fd_request req = {EV_FD_POLL, ep, POLLIN, 0, deadline, pc, 0};

		if (deadline != OP_NO_DEADLINE)
			child_signals_at_rest(pc);
		if (fd_perform(e, &req) == CTL_EINTR)
			return hook_fail(EINTR);
		int r = real_epoll_wait(ep, out, max, 0);

		if (r == 0 && timerfd_elapse(&(struct pollfd){.fd = ep, .events = POLLIN}, 1, deadline))
			r = real_epoll_wait(ep, out, max, 0);
		if (r == 0 && poll_timed_out(deadline))
			return hook_fail(EINTR);
		if (r || deadline != OP_NO_DEADLINE)
			return (int)fd_done(r);
	}
}

/* Returns the array into which the call writes the events: the program's, or a buffer until the write is reported. */
static struct epoll_event *events_begin(struct landing *l, struct epoll_event *out, int max, const void *pc)
{
	return landing_begin(l, out, max > 0 && max < MOST_POLLED ? (size_t)max * sizeof(*out) : 0, (uintptr_t)pc);
}

/* Reports the results of a call that has returned r. Returns r and keeps errno. */
static int events_end(struct landing *l, int r, const void *pc)
{
	landing_end(l, r > 0 ? r * (ssize_t)sizeof(struct epoll_event) : 0, (uintptr_t)pc);
	return r;
}

int epoll_wait(int ep, struct epoll_event *out, int max, int ms)
{
	const void *pc = __builtin_return_address(0);
	struct landing l;
	struct epoll_event *at = events_begin(&l, out, max, pc);

	return ctl_enter() ? events_end(&l, WITH_DESCRIPTOR(ep, held, pc, do_epoll(held, at, max, deadline_ms(ms), pc)), pc) : real_epoll_wait(ep, out, max, ms);
}

int epoll_pwait(int ep, struct epoll_event *out, int max, int ms, const sigset_t *set)
{
	const void *pc = __builtin_return_address(0);
	struct landing l;
	struct epoll_event *at = events_begin(&l, out, max, pc);

	if (!ctl_enter())
		return real_epoll_pwait(ep, out, max, ms, set);
	uint64_t was = poll_mask_begin(set, pc);

	return events_end(&l, poll_mask_end(set, was, WITH_DESCRIPTOR(ep, held, pc, do_epoll(held, at, max, deadline_ms(ms), pc))), pc);
}

int epoll_pwait2(
	int ep, struct epoll_event *out, int max, const struct timespec *ts, const sigset_t *set)
{
	const void *pc = __builtin_return_address(0);
	struct landing l;
	struct epoll_event *at = events_begin(&l, out, max, pc);

	if (!ctl_enter())
		return real_epoll_pwait2(ep, out, max, ts, set);
	if (ts && !vtime_valid(ts))
		return events_end(&l, hook_fail(EINVAL), pc);
	uint64_t was = poll_mask_begin(set, pc);

	return events_end(&l, poll_mask_end(set, was, do_epoll(ep, at, max, poll_deadline(ts), pc)), pc);
}
