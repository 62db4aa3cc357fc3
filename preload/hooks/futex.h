/*
 * The program's own futex system calls.
 *
 * The layout of their arguments in struct op, as sched/model_cond.c reads them:
 *
 *	FUTEX_WAIT     arg[0] the expected value, arg[1] the bit set
 *	FUTEX_WAKE     arg[0] the largest number of threads to wake, arg[1] the bit set
 *	FUTEX_REQUEUE  arg[0] how many threads to wake, arg[1] how many to move to obj[1] (0: none other)
 *	FUTEX_CMP_REQUEUE  the same. It compares the word first with the value in `deadline`, a field that this
 *	               operation does not need otherwise
 */
#ifndef SIMUL_FUTEX_H
#define SIMUL_FUTEX_H

#include "sched/event.h"

/* Performs the system call with these six arguments, which the program makes at pc. Returns what the raw system call would: -errno on
   failure. Call it between ctl_enter and ctl_leave. */
long futex_call(const long args[6], const void *pc);

/* Each function sets the arguments of *op, whose kind and objects are set already. */
static inline void futex_set_wait(struct op *op, uint32_t expected, uint32_t bitset)
{
	op->arg[0] = expected;
	op->arg[1] = bitset;
}

static inline void futex_set_wake(struct op *op, uint32_t n, uint32_t bitset)
{
	op->arg[0] = n;
	op->arg[1] = bitset;
}

static inline void futex_set_requeue(struct op *op, uint32_t wake, uint32_t move, uint32_t expected)
{
	op->arg[0] = wake;
	op->arg[1] = move;
	op->deadline = expected;
}

/* Returns the value that the word must hold, for a FUTEX_WAIT, or a FUTEX_CMP_REQUEUE. */
static inline uint32_t futex_expected(const struct op *op)
{
	return (uint32_t)(op->kind == EV_FUTEX_CMP_REQUEUE ? op->deadline : op->arg[0]);
}

/* Returns whether the futex word holds futex_expected(op) now. This is operations.futex_matches. */
bool futex_word_matches(void *ctx, const struct op *op);

#endif
