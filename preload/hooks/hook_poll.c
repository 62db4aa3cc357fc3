/*
 * poll, select, epoll_wait: one event on the files that they watch. A call with a timeout never waits: when nothing is ready at the moment
 * when its thread is scheduled, virtual time moves to the deadline.
 */
#include "preload/base/real.h"

#include <errno.h>
#include <string.h>

#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/signal_sets.h"
#include "preload/kernel/signals.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

/* What the event touches. An event has at most two objects, so more files are joined to a group first. */
struct watched {
	struct open_file *file[2];
	unsigned n; /* number of different files. file[] holds the first two */
	bool external; /* one of them may be served from outside the process */
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

		if (f && f->kind != FILE_RANDOM)
			watch(s, roots ? fd_root(f) : f);
	}
}

/* Fills in *s. When more than two objects are watched, it joins all of them to one group. */
static void gather(struct watched *s, const struct pollfd *fds, unsigned n, const void *pc)
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
			fd_join(f, group, pc);
	}
	watch_all(s, fds, n, true);
}

/* Performs the event. Returns 0 or CTL_EINTR. */
static int64_t wait_ready(struct pollfd *fds, unsigned n, uint64_t deadline, const void *pc)
{
	struct watched s;

	gather(&s, fds, n, pc);
	struct fd_wait w = {.fds = fds, .n = n, .external = s.external, .roots = s.roots};
	struct op op = ctl_op(EV_FD_POLL, pc);

	if (s.n == 0 && deadline != OP_NO_DEADLINE) {
		op.kind = EV_SLEEP; /* nothing but time can end it */
	} else {
		w.file[0] = s.n ? s.file[0] : fd_network();
		w.file[1] = s.n == 2 ? s.file[1] : NULL;
	}
	op.deadline = deadline;
	op.flags = OPF_CANCELPOINT | (deadline == OP_NO_DEADLINE ? 0 : OPF_TIMED);
	return fd_perform_op(&op, &w, false);
}

static uint64_t deadline_ms(int ms)
{
	return ms < 0 ? OP_NO_DEADLINE : vtime_add(vtime_now(), (uint64_t)ms * 1000000);
}

/* For a call with a timeout when nothing is ready: moves virtual time to the deadline, or to an earlier timer. Returns whether a timer's
   handler ran. */
static bool timed_out(uint64_t deadline)
{
	uint64_t timer = timers_next(ctl_self());
	uint64_t until = timer < deadline ? timer : deadline;

	if (deadline == OP_NO_DEADLINE)
		return false;
	world_advance(ctl_world, ctl_self(), until);
	return timers_fire_due(until);
}

/* ---- poll ---- */

/* A poll that does not wait. When nothing is ready, a timerfd that is due before the deadline fires first. */
static long poll_now(struct pollfd *fds, unsigned n, uint64_t deadline)
{
	long r = sys_poll(fds, n, 0);

	return r == 0 && timerfd_elapse(fds, n, deadline) ? sys_poll(fds, n, 0) : r;
}

static int do_poll(struct pollfd *fds, nfds_t n, uint64_t deadline, const void *pc)
{
	for (;;) {
		if (wait_ready(fds, (unsigned)n, deadline, pc) == CTL_EINTR)
			return hook_fail(EINTR);
		long r = poll_now(fds, (unsigned)n, deadline);

		if (sys_failed(r))
			return hook_fail((int)-r);
		if (r == 0 && timed_out(deadline))
			return hook_fail(EINTR);
		if (r > 0 || deadline != OP_NO_DEADLINE)
			return (int)fd_done(r);
	}
}

int poll(struct pollfd *fds, nfds_t n, int ms)
{
	if (!ctl_enter())
		return real_poll(fds, n, ms);
	return do_poll(fds, n, deadline_ms(ms), __builtin_return_address(0));
}

int __poll(struct pollfd *fds, nfds_t n, int ms)
{
	if (!ctl_enter())
		return real_poll(fds, n, ms);
	return do_poll(fds, n, deadline_ms(ms), __builtin_return_address(0));
}

int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room)
{
	if (room / sizeof(*fds) < n || !ctl_enter())
		return real___poll_chk(fds, n, ms, room);
	return do_poll(fds, n, deadline_ms(ms), __builtin_return_address(0));
}

/* Sets the signal mask for the time of the wait. Returns the mask from before. */
static uint64_t mask_begin(const sigset_t *set, const void *pc)
{
	uint64_t was = signals_mask(ctl_self());

	if (set) {
		signals_before_mask(signal_mask_of(set), pc);
		signals_set_mask(signal_mask_of(set));
	}
	return was;
}

/* Restores the mask outside simul. Returns r and keeps errno. */
static int mask_end(const sigset_t *set, uint64_t was, int r)
{
	int err = errno;

	if (set && ctl_enter()) {
		signals_set_mask_and_run(was);
		ctl_leave();
	}
	errno = err;
	return r;
}

static uint64_t deadline_ts(const struct timespec *ts)
{
	return ts ? ctl_deadline_rel(ts) : OP_NO_DEADLINE;
}

static int do_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *ts, const sigset_t *set,
	const void *pc)
{
	if (ts && !vtime_valid(ts))
		return hook_fail(EINVAL);
	uint64_t was = mask_begin(set, pc);

	return mask_end(set, was, do_poll(fds, n, deadline_ts(ts), pc));
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *ts, const sigset_t *set)
{
	if (!ctl_enter())
		return real_ppoll(fds, n, ts, set);
	return do_ppoll(fds, n, ts, set, __builtin_return_address(0));
}

int __ppoll_chk(
	struct pollfd *fds, nfds_t n, const struct timespec *ts, const sigset_t *set, size_t room)
{
	if (room / sizeof(*fds) < n || !ctl_enter())
		return real___ppoll_chk(fds, n, ts, set, room);
	return do_ppoll(fds, n, ts, set, __builtin_return_address(0));
}

/* ---- select ---- */

static bool bit(const fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

static unsigned select_to_poll(int n, const fd_set *r, const fd_set *w, const fd_set *e, struct pollfd *out)
{
	unsigned k = 0;

	for (int fd = 0; fd < n; fd++) {
		short ev = (short)((bit(r, fd) ? POLLIN : 0) | (bit(w, fd) ? POLLOUT : 0) |
			(bit(e, fd) ? POLLPRI : 0));

		if (!ev)
			continue;
		if (out)
			out[k] = (struct pollfd){.fd = fd, .events = ev};
		k++;
	}
	return k;
}

/* Clears the bits of descriptors that are not ready, as select does. Returns the number of bits that are left, or -1 for a bad descriptor.
   */
static int poll_to_select(const struct pollfd *p, unsigned n, fd_set *r, fd_set *w, fd_set *e)
{
	int count = 0;

	for (unsigned i = 0; i < n; i++) {
		short got = p[i].revents, want = p[i].events;
		bool in = (want & POLLIN) && (got & (POLLIN | POLLHUP | POLLERR));
		bool out = (want & POLLOUT) && (got & (POLLOUT | POLLERR));
		bool pri = (want & POLLPRI) && (got & POLLPRI);

		if (got & POLLNVAL)
			return -1;
		if ((want & POLLIN) && !in)
			FD_CLR(p[i].fd, r);
		if ((want & POLLOUT) && !out)
			FD_CLR(p[i].fd, w);
		if ((want & POLLPRI) && !pri)
			FD_CLR(p[i].fd, e);
		count += in + out + pri;
	}
	return count;
}

static int do_select(int n, fd_set *r, fd_set *w, fd_set *e, uint64_t deadline, const void *pc)
{
	if (n < 0 || n > FD_SETSIZE)
		return hook_fail(EINVAL);
	unsigned k = select_to_poll(n, r, w, e, NULL);
	struct pollfd fds[k ? k : 1];

	select_to_poll(n, r, w, e, fds);
	for (;;) {
		if (wait_ready(fds, k, deadline, pc) == CTL_EINTR)
			return hook_fail(EINTR);
		long ready = poll_now(fds, k, deadline);

		if (sys_failed(ready))
			return hook_fail((int)-ready);
		fd_set rr, ww, ee;

		if (r)
			rr = *r;
		if (w)
			ww = *w;
		if (e)
			ee = *e;
		int count = poll_to_select(fds, k, &rr, &ww, &ee);

		if (count < 0)
			return hook_fail(EBADF);
		if (count == 0 && deadline == OP_NO_DEADLINE)
			continue; /* ready in a way that select does not report */
		if (count == 0 && timed_out(deadline))
			return hook_fail(EINTR);
		if (r)
			*r = rr;
		if (w)
			*w = ww;
		if (e)
			*e = ee;
		return (int)fd_done(count);
	}
}

/* Like Linux, this leaves the remaining time in *tv. */
static int do_select_tv(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *tv, const void *pc)
{
	if (tv && (tv->tv_sec < 0 || tv->tv_usec < 0))
		return hook_fail(EINVAL);
	struct timespec ts = {0};

	if (tv)
		ts = (struct timespec){tv->tv_sec + tv->tv_usec / 1000000, tv->tv_usec % 1000000 * 1000};
	uint64_t deadline = deadline_ts(tv ? &ts : NULL);
	int got = do_select(n, r, w, e, deadline, pc);
	int err = errno;

	if (tv && ctl_enter()) {
		uint64_t now = vtime_now();

		vtime_to_timeval(deadline > now ? deadline - now : 0, tv);
		ctl_leave();
	}
	errno = err;
	return got;
}

int select(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	struct timeval *restrict tv)
{
	if (!ctl_enter())
		return real_select(n, r, w, e, tv);
	return do_select_tv(n, r, w, e, tv, __builtin_return_address(0));
}

int __select(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	struct timeval *restrict tv)
{
	if (!ctl_enter())
		return real_select(n, r, w, e, tv);
	return do_select_tv(n, r, w, e, tv, __builtin_return_address(0));
}

int pselect(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	const struct timespec *restrict ts, const sigset_t *restrict set)
{
	if (!ctl_enter())
		return real_pselect(n, r, w, e, ts, set);
	if (ts && !vtime_valid(ts))
		return hook_fail(EINVAL);
	uint64_t was = mask_begin(set, __builtin_return_address(0));

	return mask_end(set, was,
		do_select(n, r, w, e, deadline_ts(ts), __builtin_return_address(0)));
}

/* ---- epoll ---- */

int epoll_ctl(int ep, int cmd, int fd, struct epoll_event *ev)
{
	if (!ctl_enter())
		return real_epoll_ctl(ep, cmd, fd, ev);
	struct open_file *e = fd_lookup(ep), *f = fd_lookup(fd);
	const void *pc = __builtin_return_address(0);

	if (e && f && cmd == EPOLL_CTL_ADD)
		fd_join(f, e, pc);
	if (e)
		fd_touch(e, pc);
	int r = real_epoll_ctl(ep, cmd, fd, ev);

	if (r == 0 && e)
		fd_epoll_changed(e, cmd, fd, ev);
	return (int)fd_done(r);
}

static int do_epoll(int ep, struct epoll_event *out, int max, uint64_t deadline, const void *pc)
{
	struct open_file *e = fd_lookup(ep);

	if (!e || e->kind != FILE_EPOLL || max <= 0)
		return (int)fd_done(real_epoll_wait(ep, out, max, 0)); /* fails with the right error */
	for (;;) {
		struct fd_request req = {EV_FD_POLL, ep, POLLIN, 0, deadline, pc};

		if (fd_perform(e, &req) == CTL_EINTR)
			return hook_fail(EINTR);
		int r = real_epoll_wait(ep, out, max, 0);

		if (r == 0 && timerfd_elapse(&(struct pollfd){.fd = ep, .events = POLLIN}, 1, deadline))
			r = real_epoll_wait(ep, out, max, 0);
		if (r == 0 && timed_out(deadline))
			return hook_fail(EINTR);
		if (r || deadline != OP_NO_DEADLINE)
			return (int)fd_done(r);
	}
}

int epoll_wait(int ep, struct epoll_event *out, int max, int ms)
{
	if (!ctl_enter())
		return real_epoll_wait(ep, out, max, ms);
	return do_epoll(ep, out, max, deadline_ms(ms), __builtin_return_address(0));
}

int epoll_pwait(int ep, struct epoll_event *out, int max, int ms, const sigset_t *set)
{
	if (!ctl_enter())
		return real_epoll_pwait(ep, out, max, ms, set);
	uint64_t was = mask_begin(set, __builtin_return_address(0));

	return mask_end(set, was, do_epoll(ep, out, max, deadline_ms(ms), __builtin_return_address(0)));
}

int epoll_pwait2(
	int ep, struct epoll_event *out, int max, const struct timespec *ts, const sigset_t *set)
{
	if (!ctl_enter())
		return real_epoll_pwait2(ep, out, max, ts, set);
	if (ts && !vtime_valid(ts))
		return hook_fail(EINVAL);
	uint64_t was = mask_begin(set, __builtin_return_address(0));

	return mask_end(set, was, do_epoll(ep, out, max, deadline_ts(ts), __builtin_return_address(0)));
}
