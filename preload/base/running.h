/* Data of the running thread that sensors read at each access. */
#ifndef SIMUL_RUNNING_H
#define SIMUL_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

/* true: the execution has begun, and accesses are recorded. */
extern bool mem_on;
/* The running thread may have stores in its buffer (world_fence_needed). Always false without store buffers. ctl.c sets it when a thread
   continues. */
extern bool mem_dirty;
/* Bounds of the running thread's stack, [lo, hi). fiber.c updates them. */
extern uint64_t mem_stack_lo, mem_stack_hi;

#endif
