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
/* The running thread's pointer. The thread-local variables of modules that were there at the start lie in the
   mem_local_bytes below it. */
extern uint64_t mem_local_hi, mem_local_bytes;

static inline bool mem_on_own_stack(uint64_t addr)
{
	return addr - mem_stack_lo < mem_stack_hi - mem_stack_lo;
}

/* Returns whether the running thread's own thread-local variables lie there. */
static inline bool mem_is_local(uint64_t addr)
{
	return mem_local_hi - addr - 1 < mem_local_bytes;
}

#endif
