/* Switches between coroutines (hook_context.c). */
#ifndef SIMUL_HOOKS_CONTEXT_H
#define SIMUL_HOOKS_CONTEXT_H

#include <stdint.h>

/* Calls of swapcontext by code at [from, to) are those of a scheduler that simul knows, and need not be reported. */
void context_known(uintptr_t from, uintptr_t to);
/* The running thread makes an operation while its stack pointer, `sp`, is not on its own stack. */
void context_other_stack(uint64_t sp);

#endif
