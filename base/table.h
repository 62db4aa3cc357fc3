/*
 * Hash tables with open addressing. The array belongs to the caller. Nothing here allocates memory or keeps a pointer,
 * so a table may also lie in the session segment, or in memory that a rewind puts back.
 *
 * A table has a number of slots that is a power of two. Each slot is free, or holds an element or its number. The
 * caller says when the search may stop at a slot: it is free, or it holds the element that is wanted. The result is the
 * index of the slot. So one function of the caller serves for finding and for inserting:
 *
 *	static uint64_t *place_of(struct places *p, uint64_t pc)
 *	{
 *		return &p->place[TABLE_SLOT(i, hash_spread(pc) >> 32, PLACES, !p->place[i] || p->place[i] == pc)];
 *	}
 *
 * No element is ever removed alone, since a free slot ends the search for all elements behind it. A table is emptied as
 * a whole.
 */
#ifndef SIMUL_TABLE_H
#define SIMUL_TABLE_H

#include <stdint.h>

#define TABLE_FULL UINT32_MAX

/*
 * Looks at the slots one after the other: the first one follows from the low bits of `hash`, of which 32 count, and
 * after the last slot comes slot 0. Returns the first index at which `stop` is true. `stop` is an expression with the
 * variable `i`, which the macro declares, and is evaluated once for each slot.
 *
 * The table must keep a free slot: in a full table, the search for an element that is not there never ends. So the
 * caller adds nothing to a table with one free slot; most callers fill only half of it.
 */
#define TABLE_SLOT(i, hash, slots, stop) \
	({ \
		uint32_t mask_ = (uint32_t)((slots) - 1), i = (uint32_t)(hash) & mask_; \
		while (!(stop)) \
			i = (i + 1) & mask_; \
		i; \
	})

/* Like TABLE_SLOT, but looks at `most` slots at most, so the table may become full. Returns TABLE_FULL if `stop` is
   true at none of them. */
#define TABLE_SLOT_WITHIN(i, hash, slots, most, stop) \
	({ \
		uint32_t mask_ = (uint32_t)((slots) - 1), left_ = (most), i = (uint32_t)(hash) & mask_; \
		while (left_ && !(stop)) { \
			left_--; \
			i = (i + 1) & mask_; \
		} \
		left_ ? i : TABLE_FULL; \
	})

#endif
