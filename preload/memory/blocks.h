/*
 * Which memory of the heap (heap.h) belongs to a live block, and which accesses of other memory are errors.
 *
 * A word (8 bytes) of the heap has a mark when some of its bytes belong to no live block. Such bytes are in headers, between the end of a
 * block and the next header, and in freed blocks until they are allocated again. Marks are a bitmap beside the shadow (shadow_table.h).
 * They are checked only when an access must be recorded in the shadow; an access that repeats an earlier one costs nothing more. No error
 * is missed by that: the shadow forgets freed memory, so no access repeats an earlier access of it.
 *
 * An access of bytes that belong to no live block goes to mem_perform, which calls block_check when the access may be made. Only certain
 * errors are bugs:
 *  - Every write is an error.
 *  - A read is an error when it touches no byte of a live block. Vectorized code reads beyond the end of strings. So a read that also
 *    touches a live block is accepted while it stays in 32 aligned bytes, or for a vector load, in a line of 64 bytes. A vector load may
 *    also lie wholly after or before a live block in the same line, unless another block was freed there.
 *  - Instructions with a mask that may exclude any byte (MEM_MASKED) are accepted.
 *  - Hooks and the ThreadSanitizer ABI (MEM_PLAIN) know exactly what is read, so all their accesses are checked.
 */
#ifndef SIMUL_BLOCKS_H
#define SIMUL_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"

struct mem_access;

/* Switches checking on. Called once, in the constructor, before the first block is allocated. */
void blocks_begin(void);
/* Whether blocks are checked. */
extern bool blocks_on;

/* Call it when a block was allocated or has got another size. */
void block_new(const void *p);
/* Call it when the live block is about to be freed. */
void block_gone(const void *p);

/* Grows whenever a block is freed or becomes smaller. */
extern uint64_t block_changes;

/* Returns a mask of the bytes that belong to a live block, for a word with a mark. Uses no vector register and calls nothing of libc. */
unsigned block_bytes(uint64_t word);

/* Returns false when the byte is in the heap, and belongs to no live block. Cheap. */
bool block_holds(uint64_t addr);

/* Returns whether the access touches words with a mark. Cheap. */
bool block_suspect(uint64_t addr, uint64_t size);

/* Returns whether the access touches a byte of the heap that belongs to no live block. */
bool block_lacks(uint64_t addr, uint64_t size);

/* Returns the error of an access for which block_suspect is true; MEMORY_NONE: there is none, or it is not certain. Fills *out, except for
   threads and stacks. */
enum memory_error block_check(const struct mem_access *a, struct session_block *out);
/* Returns the start of the live block that contains the address; 0: there is none, or blocks are not checked. */
uint64_t block_begin(uint64_t addr);
/* Describes the error of free(p), where p is no live block. Fills *out, except for threads and stacks. */
void block_of_free(const void *p, struct session_block *out);

#endif
