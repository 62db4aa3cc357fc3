/* Expiration of timerfds; see timerfd.h. hook_timerfd.c has the calls. */
#include "preload/kernel/timerfd.h"

#include <errno.h>
#include <poll.h>

#include "preload/base/sys.h"
#include "preload/control/ctl.h"
#include "preload/control/vtime.h"
#include "preload/kernel/fd.h"
#include "preload/kernel/timers.h"
#include "preload/base/rules.h"

#define N_TIMERFDS 256

/* Private memory: it belongs to the execution. */
static struct timerfd timers[N_TIMERFDS];

static bool open_still(const struct timerfd *v)
{
	return v->file && v->file->kind == FILE_TIMER && v->file->serial == v->serial && v->file->refs;
}

struct timerfd *timerfd_of(const struct open_file *f)
{
	for (unsigned i = 0; i < N_TIMERFDS; i++)
		if (timers[i].file == f && open_still(&timers[i]))
			return &timers[i];
	return NULL;
}

/* Returns the k-th (from 0) timer that a wait for these descriptors watches; NULL after the last. Looks at no
   descriptor before the program has made a timer. */
static struct timerfd *watched(const struct pollfd *fds, unsigned n, unsigned k)
{
	for (unsigned i = 0; timers[0].file && i < n; i++) {
		const struct open_file *f = fds[i].fd >= 0 && (fds[i].events & POLLIN) ? fd_lookup(fds[i].fd) : NULL, *g;

		if (f && f->kind == FILE_TIMER && k-- == 0)
			return timerfd_of(f);
		for (unsigned j = 0; f && f->kind == FILE_EPOLL && (g = fd_epoll_watched(f, j)) != NULL; j++)
			if (g->kind == FILE_TIMER && k-- == 0)
				return timerfd_of(g);
	}
	return NULL;
}

uint64_t timerfd_next(const struct pollfd *fds, unsigned n)
{
	uint64_t next = TIMERS_NEVER;
	struct timerfd *v;

	for (unsigned k = 0; (v = watched(fds, n, k)) != NULL; k++)
		next = !v->far && v->due < next ? v->due : next;
	return next;
}

static void fire(struct timerfd *v, uint64_t now)
{
	uint64_t count = 1 + (v->interval ? (now - v->due) / v->interval : 0);

	v->due = v->interval ? vtime_add(v->due, count * v->interval) : TIMERS_NEVER;
	v->far = v->interval >= FAR_AWAY_NS;
	sys_write(fd_next(v->file, -1), &count, sizeof(count));
}

bool timerfd_elapse(const struct pollfd *fds, unsigned n, uint64_t deadline)
{
	uint64_t next = timerfd_next(fds, n);
	struct timerfd *v;

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
	struct timerfd *v, *first = NULL;

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

int timerfd_make(struct open_file *f, clockid_t clock)
{
	for (unsigned i = 0; i < N_TIMERFDS; i++) {
		if (open_still(&timers[i]))
			continue;
		timers[i] = (struct timerfd){f, f->serial, clock, TIMERS_NEVER, 0, false};
		return 0;
	}
	return EMFILE;
}
