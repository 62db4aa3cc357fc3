/*
 * The memory of the shadow. Each word (8 bytes) of the program's memory has a record of 8 bytes, which is 0 at first (shadow_record.h).
 * A leaf holds the records of 16 MB; it is made at the first access there. Everything is reserved in one mapping and filled page by
 * page as it is used, because each execution is a fork and pays for the pages that it writes to.
 */
#ifndef SIMUL_SHADOW_TABLE_H
#define SIMUL_SHADOW_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define ADDRESS_BITS 47
#define LEAF_BITS 24
#define LEAF_BYTES (UINT64_C(1) << LEAF_BITS) /* bytes of the program's memory that a leaf covers, and of the leaf's records */
#define MARK_BYTES (LEAF_BYTES / 64)          /* size of the marks of a leaf: one bit for each word */

/* Sets of pages of the program's memory, for one leaf: the pages with a record that is not 0, and those with shared bytes. */
struct leaf_map {
	uint64_t touched[64], shared[64];
	bool stacks; /* the leaf covers the upper end of a thread's stack */
};

#pragma GCC visibility push(hidden)
extern uint32_t *table_top;          /* by addr >> LEAF_BITS: number of the leaf that covers the address; 0: none */
extern char *table_leaves;           /* leaf 0 holds zeroes and is never written */
extern struct leaf_map *table_maps;  /* by leaf */
extern char *table_marks;            /* by leaf: bits of the words that are not completely in a live block (blocks.h) */
extern uint32_t table_used;          /* number of leaves, including leaf 0 */
extern uint64_t table_bytes;         /* size of the mapping, which begins at table_top */
#pragma GCC visibility pop

/* Reserves the table, and `more` zeroed bytes beside it. Returns the address of these bytes. Ends the session when there is no room. */
void *table_init(uint64_t more);
/* Sets *lo and *bytes to a part of the table that is in use; parts are numbered from 0. Returns false when there is no such part. */
bool table_part(unsigned i, uint64_t *lo, uint64_t *bytes);
/* Returns the leaf of an address below 1 << ADDRESS_BITS, and makes it if needed; 0 when there is no room. */
uint32_t table_leaf(uint64_t addr);
/* Makes the verdict say that some accesses are not seen, because a table is full. Like ctl_uncontrolled, but calls nothing of libc. */
void table_too_small(void);

/* Returns the record of the word that holds addr. */
static inline uint64_t *table_record(uint32_t leaf, uint64_t addr)
{
	return (uint64_t *)(table_leaves + ((uint64_t)leaf << LEAF_BITS) + (addr & (LEAF_BYTES - 1) & ~UINT64_C(7)));
}

/* Returns the 64 marks that include the mark of the word at addr, which is bit addr / 8 % 64. */
static inline uint64_t *table_mark(uint32_t leaf, uint64_t addr)
{
	return (uint64_t *)(table_marks + leaf * MARK_BYTES) + (addr & (LEAF_BYTES - 1)) / 512;
}

/* Returns whether the word that holds addr has a mark. */
static inline bool table_marked(uint32_t leaf, uint64_t addr)
{
	return *table_mark(leaf, addr) >> (addr / 8 % 64) & 1;
}

/* Returns whether the page of addr is in `set`, a member of its leaf's map. */
static inline bool table_in(const uint64_t *set, uint64_t addr)
{
	uint64_t page = (addr & (LEAF_BYTES - 1)) >> 12;
	return set[page / 64] >> (page % 64) & 1;
}

/* Adds the page of addr to `set`, a member of its leaf's map. */
static inline void table_set(uint64_t *set, uint64_t addr)
{
	uint64_t page = (addr & (LEAF_BYTES - 1)) >> 12;
	set[page / 64] |= UINT64_C(1) << (page % 64);
}

#endif
