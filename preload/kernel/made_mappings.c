#include "preload/kernel/made_mappings.h"

#include <stdint.h>

#include "preload/base/maps.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MAX_MADE 64

static struct range {
	uint64_t lo, hi;
} made[MAX_MADE];
static unsigned n_made;

static struct range pages_of(const void *addr, size_t size)
{
	uint64_t lo = (uintptr_t)addr;
	return (struct range){ lo, (lo + size + PAGE_BYTES - 1) & -(uint64_t)PAGE_BYTES };
}

/* Returns the range that contains all of `r`; NULL: none. */
static struct range *around(struct range r)
{
	for (unsigned i = 0; i < n_made; i++)
		if (made[i].lo <= r.lo && r.hi <= made[i].hi)
			return &made[i];
	return NULL;
}

void made_begin(void)
{
	n_made = 0;
}

bool made_any(void)
{
	return n_made;
}

bool made_add(const void *addr, size_t size)
{
	if (n_made == MAX_MADE)
		return false;
	made[n_made++] = pages_of(addr, size);
	return true;
}

bool made_has(const void *addr, size_t size)
{
	return size && (uintptr_t)addr % PAGE_BYTES == 0 && around(pages_of(addr, size));
}

bool made_overlaps(const void *addr, size_t size)
{
	struct range r = pages_of(addr, size);
	for (unsigned i = 0; i < n_made; i++)
		if (made[i].lo < r.hi && r.lo < made[i].hi)
			return true;
	return false;
}

bool made_remove(const void *addr, size_t size)
{
	struct range r = pages_of(addr, size), *in = around(r), behind = { r.hi, in->hi };
	if (in->lo < r.lo && behind.lo < behind.hi) {
		if (n_made == MAX_MADE)
			return false;
		made[n_made++] = behind;
		in->hi = r.lo;
	} else if (in->lo < r.lo) {
		in->hi = r.lo;
	} else if (behind.lo < behind.hi) {
		*in = behind;
	} else {
		*in = made[--n_made];
	}
	return true;
}

void made_unmap(void)
{
	for (unsigned i = 0; i < n_made; i++)
		sys_munmap((void *)made[i].lo, made[i].hi - made[i].lo);
}
