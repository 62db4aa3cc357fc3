/*
 * timerfd: descriptors that become readable as virtual time passes. For the kernel each is an eventfd, so that poll, select, epoll
 * and read find it ready as they would a real one. Its expirations are written to it by a thread that waits for it: an operation
 * that watches an armed one is a timed one (fd_wait.c), and when nothing is ready time moves on to when it is due. Those that are far
 * away are due only when no thread can go on: event loops set them again and again (Boost.Asio, to five minutes).
 */
#ifndef SIMUL_TIMERFD_H
#define SIMUL_TIMERFD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct open_file;

#define FAR_AWAY_NS UINT64_C(60000000000)

struct timerfd {
	const struct open_file *file;
	uint32_t serial;   /* of the file: its slot may be used again */
	clockid_t clock;
	uint64_t due;      /* TIMERS_NEVER: not armed */
	uint64_t interval; /* ns; 0: once */
	bool far;          /* it is due when no thread can go on */
};

/* Makes the timer of an open file, not armed. 0 or an errno value. */
int timerfd_make(struct open_file *f, clockid_t clock);
/* The timer of an open file; NULL: it has none. */
struct timerfd *timerfd_of(const struct open_file *f);

#endif
