/*
 * Signals and cancellations that the prefix sends to threads. The kernel gets such a signal when its thread takes it by
 * an event of the prefix (sigwait, or the start of a handler), or when the whole prefix has been performed. libc gets a
 * cancellation then.
 */
#ifndef SIMUL_ENFORCE_PENDING_H
#define SIMUL_ENFORCE_PENDING_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define PENDING_CANCEL 1

struct pending {
	uint32_t thread; /* index into the plan's threads */
	int sig;
	int code; /* SI_TKILL or SI_QUEUE; PENDING_CANCEL: of `handle` */
	pthread_t handle;
	union sigval value;
};

/* Does nothing if the same signal is pending for the thread, and signals with that number do not queue. */
void pending_add(const struct pending *p);

/* The running thread performs the start of a handler, an event of the prefix that has begun. Ends the event, and runs
   the handler of the pending signal with the lowest number that has one and is not blocked. Returns false if there is
   none. */
bool pending_handle(void);

/* Gives the kernel the pending signals of a thread of the plan (PLAN_NONE: of all), those with low numbers first, as
   handlers start in the search. Handlers may run during the call if it is the running thread. */
void pending_flush(uint32_t thread);
/* The same with the signals of `set` only. */
void pending_flush_set(uint32_t thread, const sigset_t *set);

#endif
