/*
 * Errors in the use of memory, as bugs: accesses of freed blocks, and beyond or before blocks; blocks freed twice; invalid frees.
 *
 * The threads and stacks that allocated and freed a block are recorded only in executions that record a stack at every event
 * (session_config.keep_stacks). Such an execution confirms each bug, so a search does not pay for these records.
 */
#ifndef SIMUL_BLOCK_BUG_H
#define SIMUL_BLOCK_BUG_H

#include <stdbool.h>

struct mem_access;

/* Records that the calling thread has allocated the block, or (freed) is about to free it. */
void block_bug_note(const void *p, bool freed);

/* Examines an access that is about to be made and for which block_suspect or dead_stack_suspect is true. Ends the execution when the access
   is an error. Called inside simul. */
void block_bug_access(const struct mem_access *a);
/* Returns a new bug for such an access; NULL: it is no error. The caller adds the thread and the stack, signs the bug and ends the execution. */
struct session_bug *block_bug_of(const struct mem_access *a);

/* Ends the execution because p, the argument of a function that frees, is no live block. Called inside simul. */
void block_bug_free(const void *p) __attribute__((noreturn));

/* A pointer that libc is freeing now, because it is not from heap.c; NULL: none. If libc aborts meanwhile, the bug is an invalid free of
   this pointer. */
extern const void *block_bug_libc;
/* Called for the signal of such an abort, instead of bug_begin and bug_message. Returns the bug. */
struct session_bug *block_bug_aborted(void);

#endif
