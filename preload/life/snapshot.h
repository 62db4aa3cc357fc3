/*
 * Snapshots inside the tree of executions: processes forked in the middle of an execution, and parked there.
 *
 * A search that backtracks repeats most of the last execution before it does something else. Where that takes longer than a fork, an
 * execution forks itself now and then, at a scheduling point: the child goes on, the parent stays, as a checkpoint of its own. When
 * the next execution begins with the same events as far as that point, it starts there, as another child. So the parked processes are
 * a stack, each the parent of the next, and mirror the deepest part of the search's own stack: those that the planned execution does not
 * pass end.
 *
 * Only with a process for each execution (ISOLATION_FORK, or when rewinding has stopped). Never changes what is found.
 */
#ifndef SIMUL_SNAPSHOT_H
#define SIMUL_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/outside.h"

/* Is an execution that takes so many ticks (sys_ticks) one that had better start from a snapshot? */
bool snapshot_pays(uint64_t ticks);

/* In the process of an execution that starts at the checkpoint, just before. */
void snapshot_begin(void);

/* operations.snapshot */
void snapshot_look(void);

/* Was this process forked in the middle of an execution? */
bool snapshot_inside(void);
/* The execution has ended, and another one is planned. true: it starts from a snapshot when this process has ended. */
bool snapshot_takes_over(void);

/* In the zygote, for that turn: how the process of an execution ended that was forked from a snapshot; *status is left alone when there was none. */
void snapshot_status(uint32_t turn, int *status);
/* In the zygote, when its child is gone: waits for the processes that were forked from snapshots, which are killed when their parents are gone, but a
   moment later. false: the number of one may belong to another process by now, and it cannot be known. */
bool snapshot_await_gone(void);

#endif
