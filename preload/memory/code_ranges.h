/* A few ranges of code, each with the number of who named it. Zeroed memory is an empty list. */
#ifndef SIMUL_CODE_RANGES_H
#define SIMUL_CODE_RANGES_H

#include <stdint.h>

#define MOST_CODE_RANGES 128u

struct code_ranges {
	unsigned n;
	struct {
		uint64_t lo, hi;
		uint32_t owner;
	} at[MOST_CODE_RANGES];
};

/* Adds [lo, hi). owner: not 0. Does nothing when the list is full. */
static inline void code_ranges_add(struct code_ranges *r, uint64_t lo, uint64_t hi, uint32_t owner)
{
	if (r->n == MOST_CODE_RANGES)
		return;
	r->at[r->n].lo = lo;
	r->at[r->n].hi = hi;
	r->at[r->n++].owner = owner;
}

/* Returns the owner of the first range with pc; 0: there is none. */
static inline uint32_t code_ranges_find(const struct code_ranges *r, uint64_t pc)
{
	for (unsigned i = 0; i < r->n; i++)
		if (pc - r->at[i].lo < r->at[i].hi - r->at[i].lo)
			return r->at[i].owner;
	return 0;
}

#endif
