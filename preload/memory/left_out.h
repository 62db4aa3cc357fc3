/*
 * Code that is left out: its accesses to memory are neither seen nor scheduling points. For bookkeeping of runtimes that no test is about (LEAVES_OUT in
 * base/runtimes.def) and functions that the user names (--leave-out). The verdict says so.
 */
#ifndef SIMUL_LEFT_OUT_H
#define SIMUL_LEFT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/memory/code_ranges.h"

/* Filled in before the first thread, and when libraries are loaded (preload/modules/runtimes.c). */
extern struct code_ranges left_out_code;

/* Returns whether the code at pc is left out. */
static inline bool left_out(uint64_t pc)
{
	return __builtin_expect(left_out_code.n, 0) && code_ranges_find(&left_out_code, pc);
}

#endif
