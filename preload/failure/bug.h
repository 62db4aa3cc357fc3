/* The bug of the running execution, in the session. All functions are called inside simul. */
#ifndef SIMUL_BUG_H
#define SIMUL_BUG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/session.h"
#include "sched/ids.h"

/* Clears the session's bug, and sets its kind and its thread, the running one. */
struct session_bug *bug_begin(enum bug_kind kind);
/* Sets the message, printf-like. A message that is too long is cut. */
void bug_message(struct session_bug *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds the innermost frames of a stack to a hash, as values that do not depend on where modules are loaded. */
uint64_t bug_hash_frames(uint64_t h, const struct session_stack *stack, unsigned frames);
/* Sets the signature from kind, message and stack. Call it last. */
void bug_sign(struct session_bug *b);
/* Adds to the message of bug_deadlock that thread t waits for process `pid` (0: any child), which has not ended for `ms` of real time. lock: that
   process waits for ever for a lock. */
void bug_waits_for_process(thread_id t, pid_t pid, uint64_t ms, bool lock);
/* Makes the present state, in which no thread is enabled, a deadlock or livelock. */
void bug_deadlock(void);
/* Returns whether some threads wait for each other in a cycle. */
bool bug_circle(void);
/* Returns whether the trace of the ended execution is impossible under sequential consistency. If it is, records this as the bug. */
bool bug_robustness(void);
/* Writes the tables of objects and threads into the segment. */
void bug_objects(void);
/* Ends the execution as failed, after a DEATH event of the bug's thread. */
void bug_die(void) __attribute__((noreturn));
#define SIMUL_DIED 134 /* exit status when a program fails before it created a thread */

#endif
