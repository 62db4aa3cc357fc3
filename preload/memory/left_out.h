/*
 * Code that is left out: its accesses to memory are neither seen nor scheduling points. For bookkeeping of runtimes that no test is about (LEAVES_OUT in
 * base/runtimes.def) and functions that the user names (--leave-out). The verdict says so.
 */
#ifndef SIMUL_LEFT_OUT_H
#define SIMUL_LEFT_OUT_H

#include <stdbool.h>
#include <stdint.h>

/* Leaves out the code in [lo, hi), from now on. Ignored when the table is full. */
void left_out_add(uint64_t lo, uint64_t hi);
extern unsigned left_out_ranges; /* number of ranges */
bool left_out_has(uint64_t pc);

/* Returns whether the code at pc is left out. */
static inline bool left_out(uint64_t pc)
{
	return __builtin_expect(left_out_ranges, 0) && left_out_has(pc);
}

#endif
