/* The table of pages; see memory.h. */
#include "sched/memory.h"

#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "sched/event.h"

static uint32_t slot_of(const struct memory_table *t, uint64_t base)
{
	return TABLE_SLOT(i, hash_spread(base) >> 40, 2 * MEMORY_PAGES,
		!t->hash[i] || t->page[t->hash[i] - 1].base == base);
}

uint32_t memory_page_intern(struct memory_table *t, uint64_t addr)
{
	uint64_t base = addr & ~(MEMORY_PAGE - 1);
	uint32_t slot = slot_of(t, base);
	if (t->hash[slot])
		return t->hash[slot] - 1;
	if (t->n >= MEMORY_PAGES) {
		t->full = 1;
		return UINT32_MAX;
	}
	t->page[t->n].base = base;
	t->hash[slot] = ++t->n;
	return t->n - 1;
}

struct memory_page *memory_page_find(const struct memory_table *t, uint64_t addr)
{
	uint32_t no = t->hash[slot_of(t, addr & ~(MEMORY_PAGE - 1))];
	return no ? (struct memory_page *)&t->page[no - 1] : NULL;
}

/* Before, in or after the running execution. */
enum when {
	BEFORE,
	LATE,
	AFTER
};

/* Makes the bytes visible. Returns true when one of them was not; AFTER: when one was neither visible nor marked. */
static bool mark(struct memory_table *t, uint64_t addr, uint64_t size, enum when when)
{
	bool news = false;
	for (uint64_t a = addr; a < addr + size; a++) {
		uint32_t no = memory_page_intern(t, a);
		if (no == UINT32_MAX)
			break;
		struct memory_page *p = &t->page[no];
		uint32_t word = (uint32_t)(a & (MEMORY_PAGE - 1)) / 64;
		uint64_t bit = UINT64_C(1) << (a & 63);
		uint64_t before = p->shared[word] | (when == AFTER ? p->discovered[word] : 0);
		if (before & bit)
			continue;
		news = true;
		if (when != AFTER)
			p->shared[word] |= bit;
		if (when != BEFORE)
			p->discovered[word] |= bit;
	}
	t->changes += news;
	return news;
}

bool memory_share(struct memory_table *t, uint64_t addr, uint64_t size)
{
	return mark(t, addr, size, BEFORE);
}

bool memory_share_late(struct memory_table *t, uint64_t addr, uint64_t size)
{
	return mark(t, addr, size, LATE);
}

bool memory_discover(struct memory_table *t, uint64_t addr, uint64_t size)
{
	return mark(t, addr, size, AFTER);
}

void memory_apply(struct memory_table *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		for (unsigned k = 0; k < 64; k++) {
			t->page[i].shared[k] |= t->page[i].discovered[k];
			t->page[i].discovered[k] = 0;
		}
}

void memory_begin_again(struct memory_table *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		for (unsigned k = 0; k < 64; k++)
			t->page[i].discovered[k] &= ~t->page[i].shared[k];
}

bool memory_is_marked(const struct memory_table *t, uint64_t addr)
{
	const struct memory_page *p = memory_page_find(t, addr);
	return p && p->discovered[(addr & (MEMORY_PAGE - 1)) / 64] >> (addr & 63) & 1;
}

bool memory_is_shared(const struct memory_table *t, uint64_t addr, uint64_t size)
{
	const struct memory_page *p = NULL;
	for (uint64_t a = addr; a < addr + size; a++) {
		if (!p || (a & (MEMORY_PAGE - 1)) == 0)
			p = memory_page_find(t, a);
		if (p && (p->shared[(a & (MEMORY_PAGE - 1)) / 64] >> (a & 63) & 1))
			return true;
	}
	return false;
}

bool memory_name(struct memory_table *t, uint64_t addr, uint32_t size, object_id obj[2], uint8_t *span)
{
	uint32_t no = memory_page_intern(t, addr), off = (uint32_t)(addr & (MEMORY_PAGE - 1));
	if (no == UINT32_MAX)
		return false;
	uint32_t last = off + size - 1;
	obj[0] = OBJECT_MEMORY | no << 8 | off / MEMORY_CELL;
	obj[1] = last / MEMORY_CELL == off / MEMORY_CELL ? 0 : (OBJECT_MEMORY | no << 8 | last / MEMORY_CELL);
	*span = (uint8_t)(off % MEMORY_CELL | last % MEMORY_CELL << 4);
	return true;
}

uint64_t memory_address(const struct memory_table *t, object_id cell)
{
	uint32_t no = (cell & ~OBJECT_MEMORY) >> 8;
	if (!object_is_memory(cell) || no >= t->n)
		return 0;
	return t->page[no].base + (cell & 0xff) * MEMORY_CELL;
}

uint32_t memory_fingerprint(const void *bytes, uint32_t size)
{
	const unsigned char *p = bytes;
	uint64_t h = size, w;
	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&w, p, 8);
		h = hash_spread(h ^ w);
		h ^= h >> 29;
	}
	w = 0;
	memcpy(&w, p, size);
	h = hash_spread(h ^ w);
	h ^= h >> 32;
	return (uint32_t)h ? (uint32_t)h : 1;
}
