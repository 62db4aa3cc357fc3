#include "preload/memory/left_out.h"

#include "preload/base/rules.h"

#define MOST 64u

static struct {
	uint64_t lo, hi;
} range[MOST];
unsigned left_out_ranges;

void left_out_add(uint64_t lo, uint64_t hi)
{
	if (left_out_ranges == MOST)
		return;
	range[left_out_ranges].lo = lo;
	range[left_out_ranges++].hi = hi;
}

bool left_out_has(uint64_t pc)
{
	for (unsigned i = 0; i < left_out_ranges; i++)
		if (pc - range[i].lo < range[i].hi - range[i].lo)
			return true;
	return false;
}
