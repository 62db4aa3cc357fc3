/* The state of a thread before an access, as a number. */
#ifndef SIMUL_SPIN_STATE_H
#define SIMUL_SPIN_STATE_H

#include "preload/accesses/mem.h"
#include "sched/event.h"

struct memory_table;
struct await_table;

/* The running thread's own stack as a part of its state. */
struct spin_stack {
	uint64_t from, hi; /* bytes [from, hi); from 0: it is not known */
	uint64_t hash;     /* of the bytes that are not shared, and of which ones are */
};

/* The hash as it is now; equal to stack->hash as long as nobody has changed the bytes or made some of them shared. */
uint64_t spin_stack_now(const struct spin_stack *stack, const struct memory_table *memory);

/* Equal states have equal numbers, never 0: registers, flags, vector registers when known, place and bytes of the access, and
   the running thread's own stack from the red zone up. Of the bytes that are shared only their places belong to it: their values are found
   by events, so a state of the time before they became shared is never one of the time after. The red zone is left out at
   calls of the ABI, and in functions whose start is a place in `await`: they call others, so they have none. 0: it can't be known.
   *stack is filled. */
uint64_t spin_state(const struct mem_access *a, const struct op *op, const struct memory_table *memory, const struct await_table *await,
	struct spin_stack *stack);

/* The same before any access, of whatever kind. */
uint64_t spin_state_landing(const struct mem_access *a, const struct memory_table *memory, const struct await_table *await);
/* Start of the function to which the instruction belongs; 0: unknown. */
uint64_t spin_function(uint64_t pc);
#endif
