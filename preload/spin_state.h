/* The state of a thread before an access, as a number. */
#ifndef SIMUL_SPIN_STATE_H
#define SIMUL_SPIN_STATE_H

#include "preload/mem.h"
#include "sched/event.h"

struct memory_table;

/* Equal states have equal numbers, never 0: registers, flags, vector registers when known, place and bytes of the access, and
   the running thread's own stack from the red zone up, except for the bytes that are shared. 0: it can't be known. */
uint64_t spin_state(const struct mem_access *a, const struct op *op, const struct memory_table *memory);

#endif
