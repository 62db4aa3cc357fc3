#ifndef SIMUL_STACK_CALL_H
#define SIMUL_STACK_CALL_H

#include <stdint.h>

#define STACK_CALL_ANY UINT64_C(4096)

/*
 * Calls a routine with three arguments and returns its result. Stores in *hi the stack pointer before the call. The lowest 12 bits of that
 * are `low`, a multiple of 16, unless `low` is STACK_CALL_ANY.
 */
uint64_t stack_call(const void *routine, uint64_t a, uint64_t b, uint64_t c, uint64_t *hi, uint64_t low);

#endif
