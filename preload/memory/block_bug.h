/*
 * Errors in the use of memory, as bugs: an access of a freed block, or behind or before a block, a block freed twice, an invalid free.
 *
 * Who allocated and freed a block, and where, is only kept where every event has a stack anyway (session_config.keep_stacks): a bug
 * is always confirmed by such an execution, and a search pays nothing for it.
 */
#ifndef SIMUL_BLOCK_BUG_H
#define SIMUL_BLOCK_BUG_H

#include <stdbool.h>

struct mem_access;

/* The block was handed out, or (freed) is about to be freed, by the calling thread. */
void block_bug_note(const void *p, bool freed);

/* The access, of which block_suspect or dead_stack_suspect is true, is about to be made: does not return when it is an error. Inside
   simul. */
void block_bug_access(const struct mem_access *a);

/* A function that frees was given p, which is no live block. Inside simul. */
void block_bug_free(const void *p) __attribute__((noreturn));

/* What libc is freeing now, since it is not from heap.c; NULL: nothing. When it aborts there, that is an invalid free. */
extern const void *block_bug_libc;
/* The same for the signal of that abort: describes the bug instead of bug_begin and bug_message. */
struct session_bug *block_bug_aborted(void);

#endif
