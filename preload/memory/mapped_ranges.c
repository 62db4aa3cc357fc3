#include "preload/memory/mapped_ranges.h"

#include "preload/base/rules.h"

#define MOST 64u

uint64_t mapped_lo, mapped_hi;

static struct {
	uint64_t lo, hi;
} range[MOST];
static unsigned n_ranges;

void mapped_range_add(uint64_t lo, uint64_t hi)
{
	mapped_lo = !n_ranges || lo < mapped_lo ? lo : mapped_lo;
	mapped_hi = hi > mapped_hi ? hi : mapped_hi;
	for (unsigned i = 0; i < n_ranges; i++)
		if (range[i].lo <= lo && hi <= range[i].hi)
			return;
	if (n_ranges == MOST) { /* the last one then holds too much */
		range[MOST - 1].lo = mapped_lo;
		range[MOST - 1].hi = mapped_hi;
		return;
	}
	range[n_ranges].lo = lo;
	range[n_ranges++].hi = hi;
}

bool mapped_range_holds(uint64_t addr)
{
	for (unsigned i = 0; i < n_ranges; i++)
		if (addr - range[i].lo < range[i].hi - range[i].lo)
			return true;
	return false;
}
