/* Accesses to memory: which of them are events. */
#ifndef SIMUL_ENFORCE_MEMORY_H
#define SIMUL_ENFORCE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "enforce/lib/gate.h"

/* Finds out where shared bytes and objects lie, and patches the code that accesses them. Call it when the modules of the plan are known
   (modules.h). `complete`: all of them are. */
void memory_init(bool complete);
/* The same for modules that the program has loaded since then. Call it before the first thread is created. */
void memory_before_threads(void);

/* Returns where to store the upper end of the program's part of a thread's stack, which modulo STACK_LOW equals that in the search.
   NULL: the place of the stack does not matter. */
uint64_t *memory_stack(uint32_t thread);

/* The running thread is this one of the plan. */
void memory_thread_begins(uint32_t thread);
/* Call it when the thread ends: its stack and its thread-local variables no longer belong to the certificate. */
void memory_thread_ends(uint32_t thread);

/* Returns whether some of the bytes are shared and some event of the prefix has not been performed. */
bool memory_shared(uint64_t addr, uint64_t size);

/* Like memory_shared. Sets *use to the access when it returns true. */
bool memory_use(uint64_t addr, uint32_t size, struct use *use);

/*
 * For a call that accesses a range of bytes, some of them shared. memory_range_begin waits as an access to the bytes would. Make the access
 * after it, then call memory_range_end with what memory_range_begin returned.
 */
bool memory_range_begin(uint64_t addr, uint64_t size, unsigned flags);
void memory_range_end(bool mine);

#endif
