/*
 * Reads that repeat the thread's last event, in the running program: finds instructions that spin a number of turns and then give up, leaves out
 * their repetitions, and checks that this loses nothing (sched/repeats.h, docs/await.md).
 */
#ifndef SIMUL_REPEAT_H
#define SIMUL_REPEAT_H

#include "preload/base/access.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "sched/event.h"

/* Returns whether repeated reads may be left out in this search at all. */
bool repeat_allowed(void);
/* The parts of the functions below for operations that may belong to such a loop. */
bool repeat_looks(const struct mem_access *a, const struct op *op);
void repeat_read_announced(const struct mem_access *a, const struct op *op);
void repeat_read_performed(const struct op *op, uint32_t found, bool disturbed);
void repeat_read_followed(const struct op *op);

/* Returns whether the operation may be the first or a further turn of such a loop: a read in a known state. */
static inline bool repeat_may_begin(const struct op *op)
{
	return op->kind == EV_LOAD && op->state;
}

/* The running thread is about to make access *a of visible memory. Returns whether it only repeats the thread's last event: then it is no event.
   Call it before spin_announce. */
static inline bool repeat_comes(const struct mem_access *a, const struct op *op)
{
	return op->kind == EV_LOAD && op->pc == fiber_cur->read_pc && repeat_looks(a, op);
}

/* Call it after spin_announce. */
static inline void repeat_announced(const struct mem_access *a, const struct op *op)
{
	if (repeat_may_begin(op))
		repeat_read_announced(a, op);
	else
		fiber_cur->read_pc = 0;
}

/* The operation was performed, and the thread makes the access next. `found`: fingerprint of the value in memory. disturbed: its
   state is not the one that was announced. */
static inline void repeat_performed(const struct op *op, uint32_t found, bool disturbed)
{
	if (repeat_may_begin(op))
		repeat_read_performed(op, found, disturbed);
	else
		fiber_cur->read_pc = 0;
}

/* The running thread announces an operation that is no access of memory. */
static inline void repeat_other(const struct op *op)
{
	if (fiber_cur->read_pc)
		repeat_read_followed(op);
}

/* The yield that was passed to repeat_other was performed. Other threads may have written meanwhile. */
void repeat_back(void);
/* The running thread gets a value that its registers and stack do not determine. */
static inline void repeat_impure(void)
{
	fiber_cur->read_pc = 0;
}
/* Returns whether a yield of the running thread is part of a spin whose repetitions are left out. Then it is no event. */
bool repeat_yields(void);

#endif
