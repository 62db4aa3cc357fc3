/*
 * timerfd: descriptors that become readable as virtual time passes. In the kernel each is an eventfd, so poll, select, epoll and read work
 * as on a real timerfd. The thread that waits for a timer writes the expirations to that eventfd. An operation that watches an armed timer
 * is a timed one (fd_wait.c); if nothing is ready, virtual time advances to the expiration.
 *
 * A distant timer expires only when no thread is enabled. Event loops set such timers repeatedly (Boost.Asio: five minutes), and each
 * possible expiration would be a choice.
 */
#ifndef SIMUL_TIMERFD_H
#define SIMUL_TIMERFD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct open_file;

#define FAR_AWAY_NS UINT64_C(60000000000) /* a timer set to this time from now, or later, is distant */

struct timerfd {
	const struct open_file *file;
	uint32_t serial;   /* serial number of the file, because another file may have its slot by now */
	clockid_t clock;
	uint64_t due;      /* TIMERS_NEVER: not armed */
	uint64_t interval; /* ns; 0: once */
	bool far;          /* the timer is distant */
};

/* Creates the timer of an open file, not armed. Returns 0 or an errno value. Inside simul. */
int timerfd_make(struct open_file *f, clockid_t clock);
/* Returns the timer of an open file; NULL: it has none. */
struct timerfd *timerfd_of(const struct open_file *f);

#endif
