/*
 * The functions that every hook uses: enter simul, name the object, announce the operation, schedule, leave.
 *
 * A hook is thin and always has this shape:
 *
 *	int pthread_mutex_lock(pthread_mutex_t *m)
 *	{
 *		if (!ctl_enter())
 *			return real_pthread_mutex_lock(m);
 *		struct op op = ctl_op(EV_MUTEX_LOCK, __builtin_return_address(0));
 *		op.obj[0] = ctl_object(OBJ_MUTEX, m);
 *		...
 *		int r = (int)ctl_perform(&op);
 *		ctl_leave();
 *		return r;
 *	}
 *
 * Only one thread of the program runs at any time, so nothing here is atomic or locked. Between ctl_enter and ctl_leave the code is
 * *inside* simul: a hook that is called there (by libunwind, by a real_ function) calls the real function at once. errno belongs to the
 * program: a hook changes it only if the real call would change it. Call the functions below inside simul.
 */
#ifndef SIMUL_CTL_H
#define SIMUL_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/session.h"
#include "preload/base/state.h"
#include "sched/event.h"
#include "sched/world.h"

/* Returns an operation of this kind without flags, objects or deadline. */
struct op ctl_op(enum event_kind kind, const void *pc);

/* Returns the model object of this kind at this address, and creates it at the first use. Ends the session when memory is used up. */
object_id ctl_object(enum object_kind kind, const void *addr);

/* Like ctl_object, for a call that initialises an object. Returns a new model object if a destroyed one had this address: names must not
   depend on which memory malloc reuses. */
object_id ctl_object_new(enum object_kind kind, const void *addr);

/* Returns the running thread. */
thread_id ctl_self(void);

/* Returns whether a call of the running thread that is no fence differs from one that is: its store buffer may have a store. The result depends
   only on its own events. false in searches for a certificate, where all calls are fences (docs/limits.md). */
bool ctl_has_stores(void);

/* Returns the number of thread ids in use; MAX_THREADS at most. */
unsigned ctl_threads(void);

/* Under RC11, the strategy hears what happens before the event that was performed last. ctl_append does it, but not for
   a fence, whose order the caller applies after that. */
void ctl_ordered(void);
/* Returns the pending operation of t; NULL: t is not alive, or has none. */
const struct op *ctl_pending(thread_id t);

/* Grows whenever simul looks afresh which operations are enabled. While it has one value, neither the program runs nor
   does real time pass, so what the kernel says about a descriptor stays true. */
extern uint64_t ctl_moment;

/* A result of ctl_perform: a signal handler interrupted an interruptible operation, which was not performed. */
#define CTL_EINTR (-4)
#define CTL_RESTART (-85) /* only EV_FUTEX_WAIT: a handler with SA_RESTART ended it */

/* Announces op for the running thread, lets the strategy schedule, and returns after op was performed. Returns 0, an errno value, a count
   (event_kinds.def says what it is for this kind) or CTL_EINTR. Signal handlers of the program run during the call. It does not return
   in a thread that is cancelled. */
int64_t ctl_perform(struct op *op);
/* For a certificate: records that a handler does something that cannot be ordered, by the call at pc. */
void ctl_note_handler(enum handler_oddity what, const void *pc);

/* Acts on the cancellation request of the running thread: unwinds to its start routine. */
void ctl_act_cancel(void) __attribute__((noreturn));

/* Ends the execution with a bug in the running thread. The message is printf-like, and written for the user. */
void ctl_bug(enum bug_kind kind, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* Ends the execution with an EXIT event. A status other than 0 is a BUG_EXIT. */
void ctl_exit(int status) __attribute__((noreturn));

/* ---- virtual time (ctl_time.c) ---- */

/* Sets *out to the virtual value of a clock for the running thread. All clocks show virtual time. */
void ctl_clock_read(clockid_t clock, struct timespec *out);
/* Returns the time stamp counter of the program: nanoseconds of CLOCK_MONOTONIC. Outside of control, the processor's. Called outside of simul. */
uint64_t ctl_clock_ticks(void);
/* Return the virtual deadline (op.deadline, ns) for an absolute time on a clock, and for a duration from now. */
uint64_t ctl_deadline_abs(clockid_t clock, const struct timespec *ts);
uint64_t ctl_deadline_rel(const struct timespec *ts);

#endif
