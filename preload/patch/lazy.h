/*
 * Libraries that are patched function by function, when the program reaches them: most of a library is never called by a test.
 *
 * Nothing is done to a library until lazy_close. Then its code cannot be executed any more; the first call of a function of it, or the first return
 * into one, is a fault, in which that function is patched as patch_module_at would have done. Nothing runs unseen in between, so it makes no
 * difference to the program, nor to what the sensor hears, when that happens. docs/patching.md has more.
 *
 * All state is private memory and page protections: forked processes inherit it. It must not be rewound after something was patched.
 */
#ifndef SIMUL_PATCH_LAZY_H
#define SIMUL_PATCH_LAZY_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "preload/patch/patch.h"

/* The library that contains `addr` is to be patched when it is reached. Maps all memory that will be needed, and loads the decoder. false: that cannot be done;
   the report's `module` says why. Only one kernel thread may run code of the program, now and later. Idempotent. */
bool lazy_add(const void *addr, const struct patch_config *config);
/* Are there such libraries? */
bool lazy_any(void);
/* From here on libraries are patched when they are reached: those there are, and those that lazy_add is given later. */
void lazy_close(void);
/* A fetch of an instruction from `addr` was refused (SIGSEGV). true: it was code of such a library; *uc goes on in it. May be called in a signal
   handler only. */
bool lazy_fault(ucontext_t *uc, uint64_t addr);
/* The same for an int3 before the context's place (SIGTRAP). */
bool lazy_trap(ucontext_t *uc);
/* Does now what has to be done when the program comes to `addr`. Nothing when that was done, or when it is in no such library. After lazy_close. */
void lazy_reach(uint64_t addr);
/* What is not patched can be executed again: for a forked process that runs by itself. */
void lazy_release(void);

#endif
