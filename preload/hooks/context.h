/* Switches between coroutines (hook_context.c). */
#ifndef SIMUL_HOOKS_CONTEXT_H
#define SIMUL_HOOKS_CONTEXT_H

#include <stdint.h>

/* Calls of swapcontext by code at [from, to) are those of a scheduler that simul knows, and need not be reported. */
void context_known(uintptr_t from, uintptr_t to);

#endif
