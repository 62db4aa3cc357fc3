/* Accesses to memory: which of them are events. */
#ifndef SIMUL_ENFORCE_MEMORY_H
#define SIMUL_ENFORCE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "enforce/lib/gate.h"

/* The modules of the plan are known (modules.h): where shared bytes lie, and objects. Patches the code that accesses them. */
void memory_init(void);

/* Where the upper end of the program's part of a thread's stack is to be written: it lies where it lay for the search, modulo STACK_LOW. NULL: it does not
   matter. */
uint64_t *memory_stack(uint32_t thread);

/* The running thread is this one of the plan. */
void memory_thread_begins(uint32_t thread);
/* It ends: its stack and its thread-local variables are no longer the certificate's. */
void memory_thread_ends(uint32_t thread);

/* Some of the bytes are shared, and the prefix has not been performed. */
bool memory_shared(uint64_t addr, uint64_t size);

/* The same; true: *use is the access. */
bool memory_use(uint64_t addr, uint32_t size, struct use *use);

/*
 * A call that accesses a range of bytes, some of which are shared. memory_range_begin waits as long as an access to the bytes must; the access is made;
 * memory_range_end follows with what the first returned.
 */
bool memory_range_begin(uint64_t addr, uint64_t size, unsigned flags);
void memory_range_end(bool mine);

#endif
