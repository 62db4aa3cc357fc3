/* select and pselect: they wait like a poll (poll.h). */
#include "preload/base/real.h"

#include <errno.h>
#include <string.h>
#include <sys/select.h>

#include "base/select_sets.h"
#include "preload/accesses/ranges.h"
#include "preload/control/ctl.h"
#include "preload/control/vtime.h"
#include "preload/hooks/hook_fail.h"
#include "preload/hooks/fd_io.h"
#include "preload/hooks/poll.h"
#include "preload/kernel/fd.h"
#include "preload/base/sys.h"

#include "preload/base/rules.h"

/* The sets of a call: the program's, and copies that are used during the wait. The program's sets are read before the wait and written
   after it. */
struct sets {
	fd_set *program[3], copy[3]; /* sets for reading, writing and exceptions; NULL: the call has no such set */
	size_t bytes;
};

/* Reads the program's sets into the copies. Called outside simul. */
static void sets_begin(struct sets *s, int n, fd_set *r, fd_set *w, fd_set *e, const void *pc)
{
	s->program[0] = r;
	s->program[1] = w;
	s->program[2] = e;
	s->bytes = n <= 0 ? 0 : n >= FD_SETSIZE ? sizeof(fd_set) : (size_t)(n + NFDBITS - 1) / NFDBITS * sizeof(fd_mask);
	for (int i = 0; i < 3; i++) {
		if (!s->program[i])
			continue;
		if (watched())
			range_read(s->program[i], s->bytes, (uintptr_t)pc);
		memcpy(&s->copy[i], s->program[i], s->bytes);
	}
}

/* Writes the results of a call that has returned r to the program's sets. Called outside simul. Returns r and keeps errno. */
static int sets_end(const struct sets *s, int r, const void *pc)
{
	for (int i = 0; r >= 0 && i < 3; i++)
		if (s->program[i])
			range_put(s->program[i], &s->copy[i], s->bytes, (uintptr_t)pc);
	return r;
}

/* Returns whether a descriptor is open that is too large for an fd_set. */
static bool has_large_descriptor(void)
{
	struct open_file *f;

	for (unsigned k = 0; (f = fd_file_at(k)); k++)
		if (fd_next(f, FD_SETSIZE - 1) >= 0)
			return true;
	return false;
}

/* Waits for the descriptors `fds` of the sets, as poll_hold has them, and puts the results into the sets. */
static int select_held(struct pollfd *fds, struct pollfd *held, unsigned k, fd_set *r, fd_set *w, fd_set *e,
	uint64_t deadline, bool masked, const void *pc)
{
	for (;;) {
		if (poll_wait(held, k, deadline, masked, pc) == CTL_EINTR)
			return hook_fail(EINTR);
		long ready = poll_now(fds, held, k, deadline);

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
		if (count == 0 && poll_timed_out(deadline))
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

/* Performs the call on the copies. Call it after ctl_enter; it calls ctl_leave. Like Linux, this ignores numbers below n that are larger
   than any open descriptor. */
static int do_select(int n, struct sets *s, uint64_t deadline, bool masked, const void *pc)
{
	if (n < 0)
		return hook_fail(EINVAL);
	if (n > FD_SETSIZE) {
		n = FD_SETSIZE;
		if (has_large_descriptor())
			ctl_uncontrolled("select of descriptors above 1023");
	}
	fd_set *r = s->program[0] ? &s->copy[0] : NULL, *w = s->program[1] ? &s->copy[1] : NULL, *e = s->program[2] ? &s->copy[2] : NULL;
	unsigned k = select_to_poll(n, r, w, e, NULL);
	struct pollfd fds[k ? k : 1];

	select_to_poll(n, r, w, e, fds);
	struct pollfd *held = poll_hold(fds, k, pc);
	int got = select_held(fds, held, k, r, w, e, deadline, masked, pc), err = errno;

	poll_release(fds, held, k);
	errno = err;
	return got;
}

/* Like Linux, this leaves the remaining time in *tv. */
static int do_select_tv(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *tv, const void *pc)
{
	struct timeval left = {0};
	struct timespec ts = {0};
	struct sets s;

	sets_begin(&s, n, r, w, e, pc);
	if (tv && watched())
		range_read(tv, sizeof(*tv), (uintptr_t)pc);
	if (!ctl_enter())
		return real_select(n, r, w, e, tv);
	if (tv && (tv->tv_sec < 0 || tv->tv_usec < 0))
		return hook_fail(EINVAL);
	if (tv)
		ts = (struct timespec){tv->tv_sec + tv->tv_usec / 1000000, tv->tv_usec % 1000000 * 1000};
	uint64_t deadline = poll_deadline(tv ? &ts : NULL);
	int got = do_select(n, &s, deadline, false, pc);
	int err = errno;

	if (tv && ctl_enter()) {
		uint64_t now = vtime_now();

		vtime_to_timeval(deadline > now ? deadline - now : 0, &left);
		ctl_leave();
		range_put(tv, &left, sizeof(left), (uintptr_t)pc);
	}
	sets_end(&s, got, pc);
	errno = err;
	return got;
}

int select(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	struct timeval *restrict tv)
{
	return do_select_tv(n, r, w, e, tv, __builtin_return_address(0));
}

int __select(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	struct timeval *restrict tv)
{
	return do_select_tv(n, r, w, e, tv, __builtin_return_address(0));
}

int pselect(int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e,
	const struct timespec *restrict ts, const sigset_t *restrict set)
{
	const void *pc = __builtin_return_address(0);
	struct sets s;

	sets_begin(&s, n, r, w, e, pc);
	if (!ctl_enter())
		return real_pselect(n, r, w, e, ts, set);
	if (ts && !vtime_valid(ts))
		return hook_fail(EINVAL);
	uint64_t was = poll_mask_begin(set, pc);

	return sets_end(&s, poll_mask_end(set, was, do_select(n, &s, poll_deadline(ts), set, pc)), pc);
}
