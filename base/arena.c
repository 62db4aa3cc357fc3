#include "base/arena.h"

#include <stdbool.h>
#include <string.h>

static unsigned size_class(uint64_t size)
{
	unsigned c = 3;
	while (c < ARENA_CLASSES + 2 && (UINT64_C(1) << c) < size)
		c++;
	return c - 3;
}

static uint64_t class_bytes(unsigned c)
{
	return UINT64_C(1) << (c + 3);
}

struct arena *arena_init(void *region, uint64_t size)
{
	struct arena *a = region;
	memset(a, 0, sizeof *a);
	a->size = size;
	a->used = sizeof *a;
	return a;
}

void arena_clean(struct arena *a)
{
	a->clean = 1;
}

aref arena_alloc(struct arena *a, uint64_t size)
{
	unsigned c = size_class(size ? size : 1);
	if (c >= ARENA_CLASSES) {
		a->exhausted = 1;
		return 0;
	}
	uint64_t bytes = class_bytes(c);
	aref ref = a->free[c];
	bool zeros = !ref && a->clean;
	if (ref) {
		aref *link = arena_ptr(a, ref);
		a->free[c] = *link;
		a->freed -= bytes;
	} else {
		if (bytes > a->size - a->used || a->used / 8 > UINT32_MAX) {
			a->exhausted = 1;
			return 0;
		}
		ref = (aref)(a->used / 8);
		a->used += bytes;
	}
	if (!zeros)
		memset(arena_ptr(a, ref), 0, bytes);
	if (a->used - a->freed > a->peak)
		a->peak = a->used - a->freed;
	return ref;
}

void arena_free(struct arena *a, aref ref, uint64_t size)
{
	if (!ref)
		return;
	unsigned c = size_class(size ? size : 1);
	aref *link = arena_ptr(a, ref);
	*link = a->free[c];
	a->free[c] = ref;
	a->freed += class_bytes(c);
}
