/*
 * What every hook uses: are we in control, name the object, announce, schedule, return.
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
 * Only one thread of the program runs at any time, so nothing here is atomic or locked. Between
 * ctl_enter and ctl_leave the code is *inside* simul: every hook that is reached from there
 * (by libunwind, by a real_ function) passes straight through. errno is the program's: a hook
 * changes it only when the real call would.
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

/* An operation of this kind without flags, objects or deadline. */
struct op ctl_op(enum event_kind kind, const void *pc);

/* The model object at this address (made at first use). Ends the execution when memory is used up. */
object_id ctl_object(enum object_kind kind, const void *addr);

/* The same for memory that is being initialised: what was destroyed there before is another object, so that
   names do not depend on which memory is used again. */
object_id ctl_object_new(enum object_kind kind, const void *addr);

/* The running thread. */
thread_id ctl_self(void);

/* Results of ctl_perform besides 0, errno values and kind-specific counts. */
#define CTL_EINTR (-4) /* an interruptible operation was interrupted by a signal handler; not performed */

/* Announces op for the running thread, lets the strategy schedule, and returns once op was performed.
   Signal handlers of the program run inside it; a thread that is cancelled does not return. */
int64_t ctl_perform(struct op *op);

/* Acts on the cancellation request of the running thread: unwinds to its start routine. */
void ctl_act_cancel(void) __attribute__((noreturn));

/* Ends the execution with a bug in the running thread. printf-like message in the user's words. */
void ctl_bug(enum bug_kind kind, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* Ends the execution normally: EXIT event, then the end. `status` != 0 is a BUG_EXIT. */
void ctl_exit(int status) __attribute__((noreturn));

/* ---- virtual time (ctl_time.c) ---- */

/* The virtual value of a clock for the running thread; every clock id runs on virtual time. */
void ctl_clock_read(clockid_t clock, struct timespec *out);
/* Virtual deadline (op.deadline) for an absolute time on a clock, or for a duration from now. */
uint64_t ctl_deadline_abs(clockid_t clock, const struct timespec *ts);
uint64_t ctl_deadline_rel(const struct timespec *ts);

/* ---- what hook families provide to others; see operations.h for the rest ---- */

/* hook_signal.c: the program's own disposition for a fatal signal that hit the running thread; true: a
   handler of the program ran and returned, resume. */
bool signals_user_handler(int sig, void *siginfo, void *ucontext);
/* hook_key.c: what ends with a thread: its thread_local destructors, its pthread keys. On its own stack. */
void tls_dtors_run(thread_id t);
void keys_run_destructors(thread_id t);
/* hook_process.c: called in the child of a native fork; nothing is controlled there. */
void ctl_become_native(void);

#endif
