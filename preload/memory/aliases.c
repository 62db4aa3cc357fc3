#include "preload/memory/aliases.h"

#include "preload/base/safe_read.h"
#include "preload/base/rules.h"

#define MOST_ALIASES 256u

uint64_t alias_lo, alias_hi;
bool alias_lost;

static struct alias range[MOST_ALIASES];
static unsigned n_ranges;

static void find_bounds(void)
{
	alias_lo = alias_hi = 0;
	for (unsigned i = 0; i < n_ranges; i++) {
		alias_lo = !i || range[i].lo < alias_lo ? range[i].lo : alias_lo;
		alias_hi = range[i].hi > alias_hi ? range[i].hi : alias_hi;
	}
}

void alias_add(uint64_t lo, uint64_t hi, uint64_t key)
{
	if (n_ranges < MOST_ALIASES)
		range[n_ranges++] = (struct alias){ lo, hi, key };
	else
		alias_lost = true;
	find_bounds();
}

/* Removes the bytes [lo, hi) from range i, which has some of them. */
static void cut(unsigned i, uint64_t lo, uint64_t hi)
{
	struct alias old = range[i];

	range[i] = range[--n_ranges];
	if (old.lo < lo)
		alias_add(old.lo, lo, old.key);
	if (hi < old.hi)
		alias_add(hi, old.hi, old.key + (hi - old.lo));
	find_bounds();
}

bool alias_remove(uint64_t lo, uint64_t hi)
{
	bool had = false;

	for (unsigned i = 0; i < n_ranges;) {
		if (range[i].lo < hi && lo < range[i].hi) {
			cut(i, lo, hi);
			had = true;
		} else {
			i++;
		}
	}
	return had;
}

/* Returns whether range i has keys in [lo, hi). */
static bool has_keys(unsigned i, uint64_t lo, uint64_t hi)
{
	return range[i].key < hi && lo < range[i].key + (range[i].hi - range[i].lo);
}

bool alias_has_keys(uint64_t lo, uint64_t hi)
{
	bool has = false;

	for (unsigned i = 0; i < n_ranges; i++)
		has |= has_keys(i, lo, hi);
	return has;
}

bool alias_take(uint64_t lo, uint64_t hi, struct alias *out)
{
	for (unsigned i = 0; i < n_ranges; i++) {
		if (!has_keys(i, lo, hi))
			continue;
		uint64_t from = lo > range[i].key ? lo - range[i].key : 0, bytes = range[i].hi - range[i].lo;
		uint64_t to = hi - range[i].key < bytes ? hi - range[i].key : bytes;

		*out = (struct alias){ range[i].lo + from, range[i].lo + to, range[i].key + from };
		cut(i, out->lo, out->hi);
		return true;
	}
	return false;
}

uint64_t alias_find(uint64_t addr, uint64_t end, uint64_t *key)
{
	*key = addr;
	for (unsigned i = 0; i < n_ranges; i++) {
		if (addr - range[i].lo < range[i].hi - range[i].lo) {
			*key = range[i].key + (addr - range[i].lo);
			return end < range[i].hi ? end : range[i].hi;
		}
		if (range[i].lo > addr && range[i].lo < end)
			end = range[i].lo;
	}
	return end;
}

uint64_t alias_readable(uint64_t key)
{
	char byte;

	for (unsigned i = 0; i < n_ranges; i++)
		if (key - range[i].key < range[i].hi - range[i].lo && !safe_read(key, &byte, 1) &&
			safe_read(range[i].lo + (key - range[i].key), &byte, 1))
			return range[i].lo + (key - range[i].key);
	return key;
}
