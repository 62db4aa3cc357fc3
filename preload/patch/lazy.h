/*
 * Libraries that are patched function by function when the program reaches them: a test never calls most of a library.
 *
 * A library stays unchanged until lazy_close, which makes its code non-executable. The first call of a function in it, or the first return
 * into one, is a fault; then that function is patched as patch_module_at would have done. No code runs unseen in between, so neither the
 * program nor the sensor can notice when a function is patched. docs/patching.md has more.
 *
 * All state is private memory and page protections, which forked processes inherit. It must not be rewound after something was patched.
 */
#ifndef SIMUL_PATCH_LAZY_H
#define SIMUL_PATCH_LAZY_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "preload/patch/patch.h"

/* The library that contains `addr` will be patched when it is reached. Maps all memory that will be needed, and loads the decoder. Returns
   false when that is impossible; the report has the reason. Only one kernel thread may run code of the program, now and later. Does nothing
   for a library that was added. */
bool lazy_add(const void *addr, const struct patch_config *config);
/* Returns whether there are such libraries. */
bool lazy_any(void);
/* From here on libraries are patched when they are reached, including those that lazy_add adds later. */
void lazy_close(void);
/* An instruction fetch from `addr` was refused (SIGSEGV). Returns true when it was in such a library, and sets *uc to continue. May be
   called in a signal handler only. */
bool lazy_fault(ucontext_t *uc, uint64_t addr);
/* Like lazy_fault, for SIGTRAP: an int3 just before the context's instruction pointer. */
bool lazy_trap(ucontext_t *uc);
/* Patches the function at `addr` now, unless it was patched or is in no such library. Called after lazy_close. */
void lazy_reach(uint64_t addr);
/* Makes code that is not patched executable, for a forked process that is not under control. */
void lazy_release(void);

#endif
