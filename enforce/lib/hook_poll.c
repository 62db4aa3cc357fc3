/*
 * poll and select on files that certificates order (own_files.h). A call is one event on its files, as in the search
 * (preload/hooks/hook_poll.c). In the prefix it does not wait: it looks when its turn has come, and must find what the
 * search found. A call with a timeout that found nothing in the search returns at once: there its thread's clock moved
 * to the deadline. After the prefix a thread may block in the kernel.
 *
 * A certificate orders no call with a signal mask of its own.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/types.h>

#include "base/select_sets.h"
#include "base/units.h"
#include "enforce/lib/own_files.h"
#include "enforce/lib/real.h"

#define MOST_POLLED (1 << 20) /* no process can have that many descriptors: the call fails */
#define MOST_FILES 2

/* A call that may be an event of the prefix. */
struct wait {
	struct pollfd *fds;
	unsigned n;
	bool timed;
	bool selects; /* it is a select with these sets, of which the first `bytes` bytes count */
	fd_set *set[3];
	size_t bytes;
};

/* The files of a call. If an event has not so many objects, the call is an event on all files there are. */
struct watched {
	struct use use[MOST_FILES];
	unsigned n; /* number of different files; use[] holds the first ones */
};

static void watch(struct watched *w, int fd)
{
	struct use use;

	if (fd < 0 || !own_files_use(fd, &use))
		return;
	for (unsigned i = 0; i < w->n && i < MOST_FILES; i++)
		if (w->use[i].addr == use.addr)
			return;
	if (w->n < MOST_FILES)
		w->use[w->n] = use;
	w->n++;
}

/* Polls without waiting. Returns the number of descriptors that are ready, or -1 with errno. Sets *result to what a
   select finds then. That may be nothing, where a descriptor is ready in a way that select does not report. */
static int look(const struct wait *a, fd_set found[3], int *result)
{
	int r = REAL(poll)(a->fds, a->n, 0);
	fd_set *set[3];

	*result = r;
	for (int i = 0; i < 3; i++) {
		set[i] = a->set[i] ? &found[i] : NULL;
		if (set[i])
			memcpy(set[i], a->set[i], a->bytes);
	}
	if (a->selects && r >= 0)
		*result = poll_to_select(a->fds, a->n, set[0], set[1], set[2]);
	if (a->selects && r >= 0 && *result < 0)
		errno = EBADF;
	return r;
}

/* Performs the call as events of the prefix. Returns whether it has returned *result, with errno. Otherwise the caller
   makes the call: it comes after the prefix, and has been held back. */
static bool performed(const struct wait *a, int *result)
{
	struct watched w = {.n = 0};
	fd_set found[3];

	for (unsigned i = 0; i < a->n; i++)
		watch(&w, a->fds[i].fd);
	if (!w.n)
		return false;
	if (w.n > MOST_FILES) {
		w.n = 1;
		w.use[0].addr = own_file_address(OWN_FILE_ALL, 0);
	}
	while (gate_begin(EV_FD_POLL, w.use, w.n)) {
		bool nothing = gate_event()->failed;
		int r = look(a, found, result), error = errno;

		gate_outcome(!r);
		gate_end();
		if (!*result && (!a->timed || (!r && !nothing)))
			continue; /* it waits: the thread's next event is the same call */
		for (int i = 0; i < 3 && a->selects && *result >= 0; i++)
			if (a->set[i])
				memcpy(a->set[i], &found[i], a->bytes);
		errno = error;
		return true;
	}
	return false;
}

static bool is_time(const struct timespec *t)
{
	return t->tv_sec >= 0 && (uint64_t)t->tv_nsec < NS_PER_S;
}

/* ---- poll ---- */

static bool poll_performed(struct pollfd *fds, nfds_t n, bool timed, int *result)
{
	const struct wait a = {.fds = fds, .n = (unsigned)n, .timed = timed};

	return n < MOST_POLLED && performed(&a, result);
}

static int ordered_poll(struct pollfd *fds, nfds_t n, int ms)
{
	int result;

	return poll_performed(fds, n, ms >= 0, &result) ? result : REAL(poll)(fds, n, ms);
}

EXPORT int poll(struct pollfd *fds, nfds_t n, int ms)
{
	return ordered_poll(fds, n, ms);
}

int __poll(struct pollfd *fds, nfds_t n, int ms);
EXPORT int __poll(struct pollfd *fds, nfds_t n, int ms)
{
	return ordered_poll(fds, n, ms);
}

int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room);
EXPORT int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room)
{
	return room / sizeof(*fds) < n ? REAL(__poll_chk)(fds, n, ms, room) : ordered_poll(fds, n, ms);
}

static int ordered_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
	int result;

	if (!mask && (!limit || is_time(limit)) && poll_performed(fds, n, limit, &result))
		return result;
	return REAL(ppoll)(fds, n, limit, mask);
}

EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
	return ordered_ppoll(fds, n, limit, mask);
}

int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *limit, const sigset_t *mask, size_t room);
EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *limit, const sigset_t *mask, size_t room)
{
	if (room / sizeof(*fds) < n)
		return REAL(__ppoll_chk)(fds, n, limit, mask, room);
	return ordered_ppoll(fds, n, limit, mask);
}

/* ---- select ---- */

static bool select_performed(int n, fd_set *in, fd_set *out, fd_set *pri, bool timed, int *result)
{
	int end = n < FD_SETSIZE ? n : FD_SETSIZE;
	unsigned k = end > 0 ? select_to_poll(end, in, out, pri, NULL) : 0;
	struct pollfd fds[k ? k : 1];
	struct wait a = {.fds = fds, .n = k, .timed = timed, .selects = true, .set = {in, out, pri}};

	a.bytes = (size_t)(end + NFDBITS - 1) / NFDBITS * sizeof(fd_mask);
	if (k)
		select_to_poll(end, in, out, pri, fds);
	return k && performed(&a, result);
}

static int ordered_select(int n, fd_set *in, fd_set *out, fd_set *pri, struct timeval *limit)
{
	int result;

	if ((limit && (limit->tv_sec < 0 || limit->tv_usec < 0)) ||
		!select_performed(n, in, out, pri, limit, &result))
		return REAL(select)(n, in, out, pri, limit);
	if (limit && !result)
		*limit = (struct timeval){0, 0}; /* Linux writes the time that is left */
	return result;
}

EXPORT int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict pri,
	struct timeval *restrict limit)
{
	return ordered_select(n, in, out, pri, limit);
}

int __select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict pri, struct timeval *restrict limit);
EXPORT int __select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict pri,
	struct timeval *restrict limit)
{
	return ordered_select(n, in, out, pri, limit);
}

EXPORT int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict pri,
	const struct timespec *restrict limit, const sigset_t *restrict mask)
{
	int result;

	if (!mask && (!limit || is_time(limit)) && select_performed(n, in, out, pri, limit, &result))
		return result;
	return REAL(pselect)(n, in, out, pri, limit, mask);
}
