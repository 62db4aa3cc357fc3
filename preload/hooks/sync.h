/*
 * What the hooks of synchronisation objects share. Hooks under other names (C11, compatibility names) call these functions and pass the
 * program's return address, so that an event shows the place in the program.
 *
 * The hooks keep the program's own object as glibc would, beside the state in the model. This costs one or two stores and has two uses.
 * First, the native child of a fork finds correct objects. Second, a hook notices memory that was initialised again without a call, by a
 * static initialiser or as a std::mutex in reused memory. The memory then looks new, while the model's object is held or destroyed, so the
 * hook makes a new model object (world_renew). Nothing else runs between two scheduling points of a thread, so memory and model agree at
 * the next one.
 */
#ifndef SIMUL_SYNC_H
#define SIMUL_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/hook_types.h"
#include "sched/event.h"

#define HERE __builtin_return_address(0)

/* Each does what the pthread function of that name does, for a call at `pc` in the program. Outside control it calls the real function.
   Call them before ctl_enter. */
int sync_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr, const void *pc);
int sync_mutex_destroy(pthread_mutex_t *m, const void *pc);
int sync_mutex_lock(pthread_mutex_t *m, const void *pc);
int sync_mutex_trylock(pthread_mutex_t *m, const void *pc);
int sync_mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *ts, const void *pc);
int sync_mutex_unlock(pthread_mutex_t *m, const void *pc);
int sync_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr, const void *pc);
int sync_cond_destroy(pthread_cond_t *c, const void *pc);
int sync_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, const void *pc);
/* `ts` is a time of the clock that the condition's attribute selects. */
int sync_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *ts, const void *pc);
/* kind: EV_COND_SIGNAL or EV_COND_BROADCAST. */
int sync_cond_wake(pthread_cond_t *c, enum event_kind kind, const void *pc);
int sync_once(int *control, void (*init)(void), const void *pc);

/* ---- for conditions: the mutex of a wait (between ctl_enter and ctl_leave) ---- */

/* Returns the model object of the mutex. Makes a new one if the memory was initialised again. */
object_id sync_mutex_object(pthread_mutex_t *m);
/* Returns the type of the mutex for op.type: MUTEX_*, with the robust bit. */
uint32_t sync_mutex_type(const pthread_mutex_t *m);
/* Returns whether the running thread holds the mutex, according to the model. */
bool sync_mutex_mine(object_id o);
/* sync_mutex_taken updates the memory of the mutex after the running thread has acquired it, sync_mutex_given after the thread has released
   it. */
void sync_mutex_taken(pthread_mutex_t *m);
void sync_mutex_given(pthread_mutex_t *m);
/* Updates the memory before the hook announces a wait that will release the mutex. A native child must find the mutex unlocked. But the
   memory must not look new, because the thread holds the mutex until the wait is performed. */
void sync_mutex_given_to_wait(pthread_mutex_t *m);

/* ---- arguments and objects ---- */

/* Returns whether a function with an absolute timeout accepts this clock. glibc accepts these two. */
static inline bool sync_clock_ok(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/* Returns whether tv_nsec is in its range. */
static inline bool sync_nanoseconds_ok(const struct timespec *ts)
{
	return ts->tv_nsec >= 0 && ts->tv_nsec < 1000000000;
}

/* Returns the model object at `addr`. `fresh`: the memory looks like a new object. A model object in use (held, destroyed, done) is then
   replaced by a new one. Call it between ctl_enter and ctl_leave. */
object_id sync_object(enum object_kind kind, const void *addr, bool fresh);

#endif
