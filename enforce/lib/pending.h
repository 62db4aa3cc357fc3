/*
 * Signals and cancellations that the prefix sends to threads. The kernel gets such a signal when its thread takes it by
 * an event of the prefix (sigwait), or when the whole prefix has been performed. libc gets a cancellation then.
 */
#ifndef SIMUL_ENFORCE_PENDING_H
#define SIMUL_ENFORCE_PENDING_H

#include <pthread.h>
#include <signal.h>
#include <stdint.h>

#define PENDING_CANCEL 1

struct pending {
	uint32_t thread; /* index into the plan's threads */
	int sig;
	int code; /* SI_TKILL or SI_QUEUE; PENDING_CANCEL: of `handle` */
	pthread_t handle;
	union sigval value;
};

void pending_add(const struct pending *p);

/* Gives the kernel the pending signals of a thread of the plan (PLAN_NONE: of all), in the order in which they were
   sent. Handlers may run during the call if it is the running thread. */
void pending_flush(uint32_t thread);
/* The same with the signals of `set` only. */
void pending_flush_set(uint32_t thread, const sigset_t *set);

#endif
