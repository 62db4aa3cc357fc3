/* What sensors read of the running thread at each access. */
#ifndef SIMUL_RUNNING_H
#define SIMUL_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

/* Accesses are noted: the execution has begun. */
extern bool mem_on;
/* The running thread has stored into its buffer since that was last known to be empty (world_fence_needed). Always false without
   store buffers. Kept by ctl.c, where a thread runs on. */
extern bool mem_dirty;
/* The running thread's stack, [lo, hi); kept by fiber.c. */
extern uint64_t mem_stack_lo, mem_stack_hi;

#endif
