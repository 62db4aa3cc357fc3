/*
 * Snapshots inside the tree of executions: processes forked in the middle of an execution, and parked there.
 *
 * A search that backtracks repeats most of the last execution before it does something new. If that takes longer than a fork, an execution
 * forks itself at some scheduling points. The child continues; the parent stays there as a checkpoint. If the next execution begins with
 * the same events up to that point, it starts there, as another child. So the parked processes form a stack, each the parent of the next.
 * This stack mirrors the deepest part of the search's own stack. A snapshot ends when the planned execution does not pass its point.
 *
 * Used only with a process for each execution (ISOLATION_FORK, or when rewinding has stopped). A process that was
 * forked at a window may be rewound to it (rewind_at_window). Snapshots never change the results of a search.
 */
#ifndef SIMUL_SNAPSHOT_H
#define SIMUL_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/outside.h"

/* Call it when an execution is planned. Its duration counts from here. */
void snapshot_planned(void);
/* Call it when that execution has ended, and was accounted for; not for one that died. Decides whether executions have
   snapshots (snapshot_trial.h). Returns whether the zygote must plan the next one and fork other children, because
   executions are rewound from now on, or are not any more. */
bool snapshot_measured(void);

/* Call it in the process of an execution that starts at the checkpoint, just before the start. */
void snapshot_begin(void);

/* Makes a snapshot here if it pays. Returns once for each execution that continues from here. */
void snapshot_look(void);

/* Returns whether this process was forked in the middle of an execution. */
bool snapshot_inside(void);
/* Call it when the execution has ended and another one is planned. Returns whether the next one starts from a snapshot after this process
   has ended. */
bool snapshot_takes_over(void);

/* Call it in the zygote. Sets *status to the status of the process that was forked from a snapshot and died in this turn. Does not change
   *status if there was none. */
void snapshot_status(uint32_t turn, int *status);
/* Call it in the zygote, after its child ended. Waits for the processes forked from snapshots, which are killed a moment after their
   parents. Returns false if one of them may still run: its pid exists, but may belong to another process by now. */
bool snapshot_await_gone(void);

#endif
