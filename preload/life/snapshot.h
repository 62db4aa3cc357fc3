/*
 * Snapshots inside the tree of executions: processes forked in the middle of an execution, and parked there.
 *
 * A search that backtracks repeats most of the last execution before it does something new. If that takes longer than a fork, an
 * execution forks itself at some scheduling points. The child continues; the parent stays there as a checkpoint. If the next execution
 * begins with the same events up to that point, it starts there, as another child. So the parked processes form a stack, each the parent
 * of the next, which mirrors the deepest part of the search's own stack. Snapshots that the planned execution does not pass end.
 *
 * Used only with a process for each execution (ISOLATION_FORK, or when rewinding has stopped). Snapshots never change what is found.
 */
#ifndef SIMUL_SNAPSHOT_H
#define SIMUL_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/outside.h"

/* Returns whether snapshots make executions that take this many ticks (sys_ticks) faster. */
bool snapshot_pays(uint64_t ticks);

/* In the process of an execution that starts at the checkpoint, just before the start. */
void snapshot_begin(void);

/* operations.snapshot: makes a snapshot here if it pays. */
void snapshot_look(void);

/* Returns whether this process was forked in the middle of an execution. */
bool snapshot_inside(void);
/* The execution has ended, and another one is planned. Returns whether that one starts from a snapshot once this process has ended. */
bool snapshot_takes_over(void);

/* In the zygote: sets *status to that of the process forked from a snapshot that ended in this turn. Leaves it alone if there was none. */
void snapshot_status(uint32_t turn, int *status);
/* In the zygote, after its child ended: waits for the processes forked from snapshots, which are killed a moment after their parents.
   Returns false if it is not known whether one still runs, since its number may belong to another process by now. */
bool snapshot_await_gone(void);

#endif
