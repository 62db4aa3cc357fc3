/* The state of a thread before an access, as a hash. */
#ifndef SIMUL_SPIN_STATE_H
#define SIMUL_SPIN_STATE_H

#include "preload/base/access.h"
#include "sched/event.h"

struct memory_table;
struct await_table;

/* The running thread's own stack, as a part of its state. */
struct spin_stack {
	uint64_t from, hi; /* bytes [from, hi); from is 0 when the stack is unknown */
	uint64_t hash;     /* hash of the bytes that are not shared, and of the places of the shared ones */
};

/* Returns the present hash of the stack. It equals stack->hash as long as the bytes are unchanged and no more of them are shared. */
uint64_t spin_stack_now(const struct spin_stack *stack, const struct memory_table *memory);

/* Returns the state of the running thread before access *a of operation *op; 0 when it cannot be known. Equal states have equal numbers. A
   state consists of the registers, flags, vector registers when they are known, the instruction and bytes of the access, and the running
   thread's own stack from the red zone up. The values of shared stack bytes do not belong to the state, since events read them. Their
   places do, so a state from before a byte became shared differs from all later ones. The red zone is left out at calls of the
   ThreadSanitizer ABI, and in functions whose start is a place in `await`: these call other functions, so they do not use it. Fills *stack. */
uint64_t spin_state(const struct mem_access *a, const struct op *op, const struct memory_table *memory, const struct await_table *await,
	struct spin_stack *stack);

/* Returns the state before an access of any kind. */
uint64_t spin_state_landing(const struct mem_access *a, const struct memory_table *memory, const struct await_table *await);
/* Returns the start of the function that contains the instruction; 0 when unknown. */
uint64_t spin_function(uint64_t pc);
#endif
