/* The sets of select as an array for poll, and the results of poll as sets. */
#ifndef SIMUL_SELECT_SETS_H
#define SIMUL_SELECT_SETS_H

#include <poll.h>
#include <stdbool.h>
#include <sys/select.h>

static inline bool select_has(const fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

/* Returns the number of descriptors below n in the sets, each of which may be NULL. Writes them to `out`, unless that
   is NULL. */
static inline unsigned select_to_poll(int n, const fd_set *r, const fd_set *w, const fd_set *e, struct pollfd *out)
{
	unsigned k = 0;

	for (int fd = 0; fd < n; fd++) {
		short ev = (short)((select_has(r, fd) ? POLLIN : 0) | (select_has(w, fd) ? POLLOUT : 0) |
			(select_has(e, fd) ? POLLPRI : 0));

		if (!ev)
			continue;
		if (out)
			out[k] = (struct pollfd){.fd = fd, .events = ev};
		k++;
	}
	return k;
}

/* Clears the bits of descriptors that are not ready, as select does. Returns the number of bits left, or -1 for
   a bad descriptor. */
static inline int poll_to_select(const struct pollfd *p, unsigned n, fd_set *r, fd_set *w, fd_set *e)
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

#endif
