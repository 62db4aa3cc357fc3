/*
 * Libraries whose functions are patched one by one, when the program reaches them, because a test never calls most functions of a library.
 *
 * A library stays unchanged until lazy_close, which makes its code non-executable. The first call of a function in it, or the first return
 * into one, is a fault. Then that function is patched as by patch_module_at. No code runs unseen in between, so neither the program nor the
 * sensor can notice when a function is patched. docs/patching.md has more.
 *
 * All state is private memory and page protections, which forked processes inherit. A process must not be rewound after something was
 * patched in it.
 */
#ifndef SIMUL_PATCH_LAZY_H
#define SIMUL_PATCH_LAZY_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "preload/patch/patch.h"

/* Adds the library that contains `addr` to those that are patched when they are reached. Maps all memory that will be needed, and loads the
   decoder. Returns false when that is impossible; the report has the reason. Only one kernel thread may run code of the program, now and
   later. Does nothing for a library that was added before. */
bool lazy_add(const void *addr, const struct patch_config *config);
/* Patches n functions of the library that contains `addr`, now and in this order, and nothing else of it, ever. Returns how many were patched; it stops at
   the first one that cannot be. Only once for a library. */
unsigned lazy_part(const void *addr, const struct patch_config *config, const uint64_t *function, unsigned n);
/* Returns whether there are such libraries. */
bool lazy_any(void);
/* From here on libraries are patched when they are reached, including those that lazy_add adds later. */
void lazy_close(void);
/* Handles a refused instruction fetch from `addr` (SIGSEGV). If the address lies in such a library, sets *uc to continue and returns true.
   Only for signal handlers. */
bool lazy_fault(ucontext_t *uc, uint64_t addr);
/* Like lazy_fault, for a SIGTRAP by an int3 just before the context's instruction pointer. */
bool lazy_trap(ucontext_t *uc);
/* Patches the function at `addr` now, unless it was patched before or is in no such library. Called after lazy_close. */
void lazy_reach(uint64_t addr);
/* Makes code that is not patched executable, for a forked process that is not under control. */
void lazy_release(void);

#endif
