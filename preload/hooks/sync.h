/*
 * What the hook families for synchronisation objects share: hooks of another name for the same thing
 * (C11, compatibility names) call these, so that an event shows the place in the program.
 *
 * Memory: besides the model's state, the program's own object is kept as glibc would keep it. That costs
 * a store or two, makes a native child of a fork right, and lets us see when the memory was initialised
 * again without a call (a static initialiser, a std::mutex in reused memory): then the memory says "new"
 * while the model says "held" or "destroyed", and the model starts afresh (world_renew). Between two
 * scheduling points of a thread nothing else runs, so memory and model always agree at the next one.
 */
#ifndef SIMUL_SYNC_H
#define SIMUL_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/hooks/hook_types.h"
#include "sched/event.h"

#define HERE __builtin_return_address(0)

/* Each is the pthread function, called by the program at `pc`; passes through when not in control. */
int sync_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr, const void *pc);
int sync_mutex_destroy(pthread_mutex_t *m, const void *pc);
int sync_mutex_lock(pthread_mutex_t *m, const void *pc);
int sync_mutex_trylock(pthread_mutex_t *m, const void *pc);
int sync_mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *ts, const void *pc);
int sync_mutex_unlock(pthread_mutex_t *m, const void *pc);
int sync_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr, const void *pc);
int sync_cond_destroy(pthread_cond_t *c, const void *pc);
int sync_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const void *pc);
/* On the clock that the condition's attribute chose. */
int sync_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *ts, const void *pc);
int sync_cond_wake(pthread_cond_t *c, enum event_kind kind, const void *pc);
int sync_once(int *control, void (*init)(void), const void *pc);

/* ---- for conditions: the mutex of a wait (between ctl_enter and ctl_leave) ---- */

/* Its object, renewed if need be, and its type for op.type. */
object_id sync_mutex_object(pthread_mutex_t *m);
uint32_t sync_mutex_type(const pthread_mutex_t *m);
/* Does the running thread hold it, according to the model? */
bool sync_mutex_mine(object_id o);
/* The memory after the running thread took it / gave it back. */
void sync_mutex_taken(pthread_mutex_t *m);
void sync_mutex_given(pthread_mutex_t *m);
/* Before a wait that will give it back is announced: unlocked for a native child, but not like a new one,
   since it is still held until the wait is performed. */
void sync_mutex_given_to_wait(pthread_mutex_t *m);

/* ---- small things ---- */

/* May the clock be used for an absolute timeout (glibc: realtime and monotonic only)? */
static inline bool sync_clock_ok(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

static inline bool sync_nanoseconds_ok(const struct timespec *ts)
{
	return ts->tv_nsec >= 0 && ts->tv_nsec < 1000000000;
}

/* The object at `addr`; a new one when the memory looks `fresh` and the model's is not (held, destroyed, done). */
object_id sync_object(enum object_kind kind, const void *addr, bool fresh);

#endif
