/*
 * Futex operations of the program; see hook_futex.c.
 *
 * How their arguments lie in struct op, as sched/model_cond.c reads them:
 *
 *	FUTEX_WAIT     arg[0] the value expected, arg[1] bit set
 *	FUTEX_WAKE     arg[0] at most how many, arg[1] bit set
 *	FUTEX_REQUEUE  arg[0] how many to wake, arg[1] how many to move to obj[1] (0: the same futex);
 *	               type bit 0: compare the word first, with the value in `deadline` (it has none)
 */
#ifndef SIMUL_FUTEX_H
#define SIMUL_FUTEX_H

#include "sched/event.h"

/* The system call with its six arguments, made by the program at pc. Result as of a raw system call. Between
   ctl_enter and ctl_leave. */
long futex_call(const long args[6], const void *pc);

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

static inline void futex_set_requeue(struct op *op, uint32_t wake, uint32_t move, bool compare, uint32_t expected)
{
	op->arg[0] = wake;
	op->arg[1] = move;
	op->type = compare;
	op->deadline = expected;
}

/* The value that the word must hold. */
static inline uint32_t futex_expected(const struct op *op)
{
	return (uint32_t)(op->kind == EV_FUTEX_REQUEUE ? op->deadline : op->arg[0]);
}

/* operations.futex_matches */
bool futex_word_matches(void *ctx, const struct op *op);

#endif
