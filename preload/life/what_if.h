/*
 * What a thread would do if a read found another value. A fork of the process tries it: there the value is in memory, the thread runs alone,
 * and its next accesses are recorded, until it would do something that the fork must not do. Two such trials are the same if they come to the same
 * state of the thread. Used to check that repeated reads may be left out (preload/memory/repeat.h).
 *
 * The fork has no descriptors, and the kernel ends it at its first system call (seccomp). So nothing that it does is seen elsewhere. There is no
 * trial when memory is shared between processes.
 */
#ifndef SIMUL_WHAT_IF_H
#define SIMUL_WHAT_IF_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/accesses/mem.h"
#include "preload/base/operations.h"

/* operations.what_if: the running thread is about to make the load q->pc, q->addr. */
enum what_if_result what_if(const struct what_if *q);
/* operations.what_if_access: in the fork, before an access. Does not return if the trial is over. */
void what_if_access(const struct mem_access *a);
/* operations.what_if_op: in the fork, before another operation. Returns its result, or does not return. */
int64_t what_if_op(const struct op *op);

#endif
