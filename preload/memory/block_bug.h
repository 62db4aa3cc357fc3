/*
 * Errors in the use of memory, as bugs: accesses of freed blocks, and beyond or before blocks; blocks freed twice; invalid frees.
 *
 * Which thread allocated and freed a block, and where, is recorded only in executions that record a stack at every event
 * (session_config.keep_stacks). Each bug is confirmed by such an execution, so a search pays nothing for it.
 */
#ifndef SIMUL_BLOCK_BUG_H
#define SIMUL_BLOCK_BUG_H

#include <stdbool.h>

struct mem_access;

/* The calling thread has allocated the block, or (freed) is about to free it. */
void block_bug_note(const void *p, bool freed);

/* The access, for which block_suspect or dead_stack_suspect is true, is about to be made. Ends the execution when it is an error. Called
   inside simul. */
void block_bug_access(const struct mem_access *a);

/* Ends the execution: a function that frees was given p, which is no live block. Called inside simul. */
void block_bug_free(const void *p) __attribute__((noreturn));

/* The block that libc is freeing now, because it is not from heap.c; NULL: none. If libc aborts, it is an invalid free. */
extern const void *block_bug_libc;
/* Called for the signal of that abort, in place of bug_begin and bug_message. Returns the bug. */
struct session_bug *block_bug_aborted(void);

#endif
