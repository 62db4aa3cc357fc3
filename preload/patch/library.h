/* What the parts of lazy.c share: a library that is patched function by function, and its blocks. */
#ifndef SIMUL_PATCH_LIBRARY_H
#define SIMUL_PATCH_LIBRARY_H

#include "preload/patch/engine.h"
#include "preload/patch/trap.h"

#define PAGE 4096ull
#define BLOCK (8 * PAGE)

/* A library that is patched function by function. Its members are indexed by place in the code, from image.lo on, or by block. */
struct library {
	struct image image;
	struct patch_config config;
	struct patch_module info;
	uint64_t lo, bytes;                  /* the library's code, in whole pages */
	uint8_t *copy;                       /* the original code of the blocks in `copied` */
	uint64_t *known;                     /* set of places: a function begins there and was reached */
	uint64_t *left;                      /* set of places: a function begins there and stays unchanged, because code reads data from it */
	uint64_t *pointed;                   /* set of places: a word of the library's data points there */
	uint64_t *boundary;                  /* as in struct engine; both `boundary` and `use` are all 0 between two uses */
	uint8_t *use;
	uint64_t copied[64], open[64], writable[64]; /* sets of blocks */
	uint8_t *code_at, *code_end;         /* room for new code */
	struct map_entry *map_at, *map_end;  /* room for the map of the new code */
	bool part;                           /* lazy_part added it: only some functions are ever patched, and the others keep their bytes */
	bool closed, data_read;              /* closed: lazy_close was called; data_read: `pointed` is complete */
};

/* Sets of bits, by number. */
static inline bool bit(const uint64_t *bits, uint64_t i)
{
	return bits[i >> 6] >> (i & 63) & 1;
}

static inline void set_bit(uint64_t *bits, uint64_t i)
{
	bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline void clear_bit(uint64_t *bits, uint64_t i)
{
	bits[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

/* ---- lazy.c ---- */

/* Reports the library's numbers, or why it was refused. */
void library_report(const struct library *l);

/* ---- lazy_block.c ---- */

/* Returns the number of the block that holds the place. */
uint64_t block_of(const struct library *l, uint32_t off);
/* Saves a copy of the block, at the first call for it. */
void block_copy(struct library *l, uint64_t b);
/* Makes a block writable, and opens it by setting its functions that were not reached to int3. Returns false when the kernel refuses. */
bool block_unlock(struct library *l, uint64_t b);
/* Makes a writable block executable. */
void block_lock(struct library *l, uint64_t b);
/* Sets *lo and *hi to the part of [*lo, *hi) that is in the block. Returns false when there is none. */
bool block_within(const struct library *l, uint64_t b, uint64_t *lo, uint64_t *hi);
/* Sets all bytes of functions in the block that were not reached to int3, or (`back`) to their original values. The bytes between functions
   stay. */
void block_fill(struct library *l, uint64_t b, bool back);
/* Reports code that is not covered. */
void library_hole(struct library *l, uint32_t off, enum patch_reason reason);
/* Reports code without unwind information to which the place, which is executed now, belongs. */
void library_executes(struct library *l, uint32_t off);
/* Reports code without unwind information, once. */
void library_blind(struct library *l, uint32_t off);

/* ---- lazy_reach.c ---- */

/* Scratch memory, used for one library after the other; NULL before reach_prepare. */
extern struct engine *lazy_engine;
/* Creates this scratch memory. Returns false when no memory is left. */
bool reach_prepare(void);
/* Returns whether the place lies in a function that was not reached yet. */
bool reach_is_new(struct library *l, uint32_t off);
/* Patches the function at the place, and those that must be patched with it. */
void reach(struct library *l, uint32_t off);

#endif
