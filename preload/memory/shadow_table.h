/*
 * Where the shadow lies: for each word (8 bytes) of the program's memory a record of 8 bytes, all zero at first. Records lie in a leaf
 * for each 16 MB of memory that was touched. Everything is reserved in one mapping and filled page by page as it is
 * used, because each execution is a fork and pays for the pages it touches.
 */
#ifndef SIMUL_SHADOW_TABLE_H
#define SIMUL_SHADOW_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define ADDRESS_BITS 47
#define LEAF_BITS 24
#define LEAF_BYTES (UINT64_C(1) << LEAF_BITS) /* of the program's memory, and of the leaf */
#define MARK_BYTES (LEAF_BYTES / 64)          /* of the marks of a leaf: a bit for each word */

/* Which pages (4096 bytes of the program's memory) of a leaf hold records that are not 0, and which hold shared bytes. */
struct leaf_map {
	uint64_t touched[64], shared[64];
	bool stacks; /* the upper end of a thread's stack lies there */
};

#pragma GCC visibility push(hidden)
extern uint32_t *table_top;          /* number of the leaf of an address, by addr >> LEAF_BITS; 0: none */
extern char *table_leaves;           /* leaf 0 is empty and never written */
extern struct leaf_map *table_maps;  /* by leaf */
extern char *table_marks;            /* by leaf: words that do not wholly belong to a live block of the heap (blocks.h) */
extern uint32_t table_used;          /* leaves, leaf 0 included */
extern uint64_t table_bytes;         /* reserved, from table_top on */
#pragma GCC visibility pop

/* Reserves the table and `more` bytes beside it, whose address it returns. Ends the session when there is no room. */
void *table_init(uint64_t more);
/* The parts that are in use, by number from 0; false when there is no such part. */
bool table_part(unsigned i, uint64_t *lo, uint64_t *bytes);
/* The leaf of an address below 1 << ADDRESS_BITS, made when there is none; 0: no room. */
uint32_t table_leaf(uint64_t addr);
/* There is no room for something; the verdict will say so. As ctl_uncontrolled, but without libc. */
void table_too_small(void);

static inline uint64_t *table_record(uint32_t leaf, uint64_t addr)
{
	return (uint64_t *)(table_leaves + ((uint64_t)leaf << LEAF_BITS) + (addr & (LEAF_BYTES - 1) & ~UINT64_C(7)));
}

/* 64 marks: those of the word at addr and its neighbours; its own is bit addr / 8 % 64. */
static inline uint64_t *table_mark(uint32_t leaf, uint64_t addr)
{
	return (uint64_t *)(table_marks + leaf * MARK_BYTES) + (addr & (LEAF_BYTES - 1)) / 512;
}

static inline bool table_marked(uint32_t leaf, uint64_t addr)
{
	return *table_mark(leaf, addr) >> (addr / 8 % 64) & 1;
}

/* Is the page of addr in one of the sets of its leaf's map? */
static inline bool table_in(const uint64_t *set, uint64_t addr)
{
	uint64_t page = (addr & (LEAF_BYTES - 1)) >> 12;
	return set[page / 64] >> (page % 64) & 1;
}

static inline void table_set(uint64_t *set, uint64_t addr)
{
	uint64_t page = (addr & (LEAF_BYTES - 1)) >> 12;
	set[page / 64] |= UINT64_C(1) << (page % 64);
}

#endif
