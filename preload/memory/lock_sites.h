/*
 * Locks that are not pthread's: those of the runtimes in base/runtimes.def, and those that the user names (--lock). preload/modules/runtimes.c finds them in
 * the modules.
 *
 * An *acquire site* is a compare-and-swap that takes a lock whose word is 0 when it is free, and whose failure leads to nothing but waiting for the
 * same word. There a thread is enabled only while the lock is free (a lock in sched/await.h). So the lock's own code for waiting never runs, as with
 * a pthread mutex, and the traces are the orders of critical sections. That the lock is right is assumed, and the verdict says so.
 *
 * Some locks can be taken at other values than 0, too, when threads are queued. With those a thread waits at one value only (ONLY_AT). At others its failed
 * attempt is an event.
 *
 * A site is known by its instruction, if a branch after it leads to the function that waits, or because it runs in a function that takes a lock.
 */
#ifndef SIMUL_LOCK_SITES_H
#define SIMUL_LOCK_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/access.h"
#include "preload/memory/code_ranges.h"
#include "sched/event.h"

/* Declares that the instruction at pc is an acquire site. owner: who says so (preload/modules/runtimes.h), not 0. Ignored when the table is full. */
void lock_site_add(uint64_t pc, uint32_t owner);
/* Writes the stack of the access that the running thread is about to make, from its place outwards. Returns the number of frames, at most `max`. Called inside simul. */
unsigned lock_stack_of(const struct mem_access *a, uint64_t *pc, unsigned max);

/* Functions whose compare-and-swaps from 0 take a lock, also those in what they call. */
extern struct code_ranges lock_functions;
/* Functions that do so themselves. They call nothing that is seen. */
extern struct code_ranges library_lock_functions;
/* Functions that park their thread until another one unparks it: they subtract 1 from a word of 4 bytes, and wait unless it was 1 (notified). There the thread
   is enabled only while it is 1. Where calls are known (known_calls). */
extern struct code_ranges park_functions;

/*
 * Returns the state of the operation's node if the access takes a lock; 0: it does not. Call it when the running thread is about to announce *op, with
 * a->pc as the original address plus 1. Makes the node when it is new.
 */
uint64_t lock_state(const struct mem_access *a, const struct op *op);

#endif
