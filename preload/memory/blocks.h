/*
 * Which memory of the heap (heap.h) belongs to a live block, and what it means when the program uses other memory of it.
 *
 * A word (8 bytes) of the heap has a mark when some of its bytes belong to no live block: headers, what lies between the end of a block
 * and the next header, and freed blocks until they are handed out again. Marks lie beside the shadow (shadow_table.h), a bit for
 * each word. They are looked at only where an access has to be taken down anyway, so an access that repeats an earlier one costs
 * what it always did: what is freed is forgotten by the shadow, and no repetition.
 *
 * An access of bytes that belong to no live block goes to mem_perform, which asks block_check once the access may be made. Only what
 * is certainly an error is a bug:
 *  - a write;
 *  - a read that touches no byte of a live block. Wide reads that also touch some are what vectorised code makes of strings: these
 *    are let through while they stay in 32 aligned bytes, vector loads in a line of 64 bytes. Vector loads may also lie wholly behind or
 *    before a live block in its line, unless another block was freed there;
 *  - instructions whose mask may keep them from any byte (MEM_MASKED) are let through;
 *  - hooks and the ThreadSanitizer ABI (MEM_PLAIN) know exactly what is read: nothing is let through.
 */
#ifndef SIMUL_BLOCKS_H
#define SIMUL_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"

struct mem_access;

/* Once, in the constructor, before the first block is handed out. */
void blocks_begin(void);
extern bool blocks_on;

/* A block was handed out, or has another size. */
void block_new(const void *p);
/* The live block is about to be freed: nothing of it may be used any more. */
void block_gone(const void *p);

/* Which bytes of a word with a mark belong to a live block, as a bit set. Uses no vector register and calls nothing of libc. */
unsigned block_bytes(uint64_t word);

/* Does the access touch words with a mark? Cheap. */
bool block_suspect(uint64_t addr, uint64_t size);

/* What is wrong with an access of which block_suspect is true. MEMORY_NONE: nothing, or that is not certain. *out: all but the
   threads and stacks. */
enum memory_error block_check(const struct mem_access *a, struct session_block *out);
/* What the argument of a failing free is about: fills the same parts. */
void block_of_free(const void *p, struct session_block *out);

#endif
