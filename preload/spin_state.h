/* The state of a thread before an access, as a number. */
#ifndef SIMUL_SPIN_STATE_H
#define SIMUL_SPIN_STATE_H

#include "preload/mem.h"
#include "sched/event.h"

struct memory_table;
struct await_table;

/* Equal states have equal numbers, never 0: registers, flags, vector registers when known, place and bytes of the access, and
   the running thread's own stack from the red zone up, except for the bytes that are shared. The red zone is left out at
   calls of the ABI, and in functions whose start is a place in `await`: they call others, so they have none. 0: it can't be known. */
uint64_t spin_state(const struct mem_access *a, const struct op *op, const struct memory_table *memory, const struct await_table *await);

/* The same before any access, of whatever kind. */
uint64_t spin_state_landing(const struct mem_access *a, const struct memory_table *memory, const struct await_table *await);
/* Start of the function to which the instruction belongs; 0: unknown. */
uint64_t spin_function(uint64_t pc);
#endif
