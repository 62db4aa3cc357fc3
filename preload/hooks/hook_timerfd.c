/*
 * timerfd: descriptors that become readable as virtual time passes. For the kernel each is an eventfd, so that poll, select, epoll
 * and read find it ready as they would a real one. Its expirations are written to it by a thread that waits for it: an operation
 * that watches an armed one is a timed one (fd_wait.c), and when nothing is ready time moves on to when it is due. Those that are far
 * away are due only when no thread can go on: event loops set them anew without end (Boost.Asio, to five minutes).
 */
#include "preload/base/real.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include "preload/control/ctl.h"
#include "preload/kernel/fd.h"
#include "preload/hooks/fd_io.h"
#include "preload/base/sys.h"
#include "preload/kernel/timers.h"
#include "preload/control/vtime.h"

#include "preload/base/rules.h"

#define N_TIMERS 256
#define FAR_AWAY_NS UINT64_C(60000000000)

/* In private memory: goes with the execution. */
static struct timer {
	const struct open_file *file;
	uint32_t serial;   /* of the file: its slot may be used again */
	clockid_t clock;
	uint64_t due;      /* TIMERS_NEVER: not armed */
	uint64_t interval; /* ns; 0: once */
	bool far;          /* it is due when no thread can go on */
} timers[N_TIMERS];

static bool open_still(const struct timer *v)
{
	return v->file && v->file->kind == FILE_TIMER && v->file->serial == v->serial && v->file->refs;
}

static struct timer *timer_of(const struct open_file *f)
{
	for (unsigned i = 0; i < N_TIMERS; i++)
		if (timers[i].file == f && open_still(&timers[i]))
			return &timers[i];
	return NULL;
}

/* The k-th (from 0) timer that a wait for these descriptors watches; NULL after the last. */
static struct timer *watched(const struct pollfd *fds, unsigned n, unsigned k)
{
	for (unsigned i = 0; i < n; i++) {
		const struct open_file *f = fds[i].fd >= 0 && (fds[i].events & POLLIN) ? fd_lookup(fds[i].fd) : NULL, *g;

		if (f && f->kind == FILE_TIMER && k-- == 0)
			return timer_of(f);
		for (unsigned j = 0; f && f->kind == FILE_EPOLL && (g = fd_epoll_watched(f, j)) != NULL; j++)
			if (g->kind == FILE_TIMER && k-- == 0)
				return timer_of(g);
	}
	return NULL;
}

uint64_t timerfd_next(const struct pollfd *fds, unsigned n)
{
	uint64_t next = TIMERS_NEVER;
	struct timer *v;

	for (unsigned k = 0; (v = watched(fds, n, k)) != NULL; k++)
		next = !v->far && v->due < next ? v->due : next;
	return next;
}

static void fire(struct timer *v, uint64_t now)
{
	uint64_t count = 1 + (v->interval ? (now - v->due) / v->interval : 0);

	v->due = v->interval ? vtime_add(v->due, count * v->interval) : TIMERS_NEVER;
	v->far = v->interval >= FAR_AWAY_NS;
	sys_write(fd_next(v->file, -1), &count, sizeof(count));
}

bool timerfd_elapse(const struct pollfd *fds, unsigned n, uint64_t deadline)
{
	uint64_t next = timerfd_next(fds, n);
	struct timer *v;

	if (next == TIMERS_NEVER || next > deadline)
		return false;
	world_advance(ctl_world, ctl_self(), next);
	for (unsigned k = 0; (v = watched(fds, n, k)) != NULL; k++)
		if (v->due <= vtime_now())
			fire(v, vtime_now());
	fd_refresh_waits();
	return true;
}

bool timerfd_fire_idle(thread_id t, const struct pollfd *fds, unsigned n)
{
	struct timer *v, *first = NULL;

	for (unsigned k = 0; (v = watched(fds, n, k)) != NULL; k++)
		if (v->due != TIMERS_NEVER && (!first || v->due < first->due))
			first = v;
	if (!first)
		return false;
	world_advance(ctl_world, t, first->due);
	fire(first, first->due);
	return true;
}

bool timerfd_readable(int fd, bool try)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return sys_poll(&p, 1, 0) > 0 || timerfd_elapse(&p, 1, try ? vtime_now() : OP_NO_DEADLINE);
}

/* ---- hooks ---- */

static int make(struct open_file *f, clockid_t clock)
{
	for (unsigned i = 0; i < N_TIMERS; i++) {
		if (open_still(&timers[i]))
			continue;
		timers[i] = (struct timer){f, f->serial, clock, TIMERS_NEVER, 0, false};
		return 0;
	}
	return EMFILE;
}

int timerfd_create(int clock, int flags)
{
	/* The real call knows which clocks and flags there are, and who may use them. */
	int fd = real_timerfd_create(clock, flags);

	if (fd < 0 || !ctl_enter())
		return fd;
	long event = sys_call2(SYS_eventfd2, 0, flags & (TFD_NONBLOCK | TFD_CLOEXEC));

	if (!sys_failed(event)) {
		sys_call3(SYS_dup3, (int)event, fd, flags & TFD_CLOEXEC);
		sys_close((int)event);
	}
	int err = sys_failed(event) ? (int)-event : make(fd_new(FILE_TIMER, fd), clock);

	if (err) {
		sys_close(fd);
		fd_forget(fd);
		return (int)fd_fail(err);
	}
	return (int)fd_done(fd);
}

static void show(const struct timer *v, struct itimerspec *out)
{
	uint64_t now = vtime_now();

	vtime_to_timespec(v->due == TIMERS_NEVER ? 0 : v->due > now ? v->due - now : 1, &out->it_value);
	vtime_to_timespec(v->interval, &out->it_interval);
}

/* Takes expirations that nobody has read. */
static void drain(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint64_t count;

	if (sys_poll(&p, 1, 0) > 0)
		sys_read(fd, &count, sizeof(count));
}

static void set(struct timer *v, int flags, const struct itimerspec *want)
{
	uint64_t value = vtime_from_timespec(&want->it_value);

	v->interval = vtime_from_timespec(&want->it_interval);
	if (!value)
		v->due = TIMERS_NEVER;
	else if (flags & TFD_TIMER_ABSTIME)
		v->due = ctl_deadline_abs(v->clock, &want->it_value);
	else
		v->due = vtime_add(vtime_now(), value);
	v->far = v->due != TIMERS_NEVER && v->due >= vtime_add(vtime_now(), FAR_AWAY_NS);
}

int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	if (!ctl_enter())
		return real_timerfd_settime(fd, flags, new, old);
	struct open_file *f = fd_lookup(fd);
	struct timer *v = f ? timer_of(f) : NULL;

	if (!v) /* says what is wrong */
		return (int)fd_done(real_timerfd_settime(fd, flags, new, old));
	if (!new || !vtime_valid(&new->it_value) || !vtime_valid(&new->it_interval) ||
		(flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)))
		return (int)fd_fail(EINVAL);
	struct itimerspec want = *new;

	fd_touch(f, __builtin_return_address(0));
	if (old)
		show(v, old);
	drain(fd);
	set(v, flags, &want);
	fd_refresh_waits();
	return (int)fd_done(0);
}

int timerfd_gettime(int fd, struct itimerspec *out)
{
	if (!ctl_enter())
		return real_timerfd_gettime(fd, out);
	struct open_file *f = fd_lookup(fd);
	struct timer *v = f ? timer_of(f) : NULL;

	if (!v)
		return (int)fd_done(real_timerfd_gettime(fd, out));
	fd_touch(f, __builtin_return_address(0));
	show(v, out);
	return (int)fd_done(0);
}
