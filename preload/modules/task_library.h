/*
 * The code of oneTBB, if its accesses are not seen and the order of its tasks is explored all the same (preload/kernel/task_order.h).
 */
#ifndef SIMUL_TASK_LIBRARY_H
#define SIMUL_TASK_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/* Its bounds. lo == hi: there is no such library. */
extern struct task_library {
	uint64_t lo, hi;
} task_library;

/* Call it for each library that is not seen, with its code in [code, end), when it is loaded. */
void task_library_look(const char *path, uint64_t code, uint64_t end);

static inline bool task_library_has(const void *pc)
{
	return (uintptr_t)pc - task_library.lo < task_library.hi - task_library.lo;
}

#endif
