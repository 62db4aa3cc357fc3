/*
 * Operations of a lock that are one event each. Such an operation reads and changes the lock's words by several instructions. Here the first of them
 * announces the event, a read-modify-write of the words. The others follow at once, without a scheduling point, up to the next futex call or the end of the
 * operation. So no other thread comes in between, and a compare-and-swap among them does not fail. That loses nothing if a failure only makes the thread look again.
 *
 * Rust's RwLock (TAKES, OPERATES and SLOW_* in base/runtimes.def): an operation of which the compiler has made a function begins and ends with it
 * (preload/control/whole_calls.h). In optimised builds the fast path lies in functions of the program. There the patcher finds its instructions
 * (preload/patch/lock_op.c), and the function for the slow path continues the event.
 *
 * Locks whose functions look at the word before they change it (TAKES_AFTER_LOAD, GIVES_AFTER_LOAD): a load, then a compare-and-swap from the value that it found
 * (preload/patch/pairs.c).
 *
 * Where an operation would only wait because a writer has the lock, the thread is disabled (ONLY_AT; preload/memory/lock_sites.h). All else that accesses the words
 * is explored. So a missed instruction costs traces, no behaviour.
 */
#ifndef SIMUL_LOCK_OPS_H
#define SIMUL_LOCK_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/access.h"
#include "preload/base/lock_op.h"
#include "preload/control/fiber.h"

#define LOCK_OP_WORDS 8u /* most bytes of the lock that its operations access */

/* Declares that the instruction at pc is this part of an operation. Ignored when the table is full. */
void lock_op_site(uint64_t pc, enum lock_op_part part, uint32_t owner);

/* Declares that the compare-and-swap follows the load of the same word (patch_config.paired). Ignored unless a function that is declared has them. */
void lock_op_pair(uint64_t load, uint64_t swap);

enum lock_op_access {
	LOCK_OP_NONE,   /* the access belongs to no operation */
	LOCK_OP_FIRST,  /* it announces the event of its operation */
	LOCK_OP_WITHIN, /* it belongs to the event that the thread has just performed */
};

extern unsigned lock_op_sites; /* instructions that lock_op_site has declared */

/* Returns whether the thread may be about to make an access of such an operation. */
static inline bool lock_op_possible(const struct fiber *f)
{
	return __builtin_expect(lock_op_sites || f->call.sp, 0);
}

/* If lock_op_possible: call it when the running thread is about to make an access to visible bytes from `addr` on. LOCK_OP_FIRST: fills in the access that is announced in place of *a. */
enum lock_op_access lock_op_access(const struct mem_access *a, uint64_t addr, struct mem_access *event);
/* Call it when that event has been performed. */
void lock_op_performed(const struct mem_access *event);

#endif
