#include "cli/collect/collect_heap.h"

#include <string.h>
#include <unistd.h>

#include "preload/memory/heap_layout.h"

#define FARTHEST 65536 /* an address farther from the start of its block gets no name */

struct heap_low collect_heap_low(const struct segment *seg)
{
	const struct session_control *ctl = &seg->session->ctl;
	struct heap_low low = {ctl->facts.heap_low_at, ctl->facts.heap_low_bytes};

	return low.at + low.bytes < HEAP_LO && low.bytes < HEAP_LO ? low : (struct heap_low){0, 0};
}

void collect_add_heap(struct symbols *s, const struct segment *seg)
{
	struct heap_low low = collect_heap_low(seg);

	symbols_add_heap(s, HEAP_LO, HEAP_HI);
	if (low.bytes)
		symbols_add_heap(s, low.at, low.at + low.bytes);
}

/* Returns whether the block with this header at `at` contains the address. */
static bool holds(const struct heap_header *h, uint64_t at, uint64_t addr, uint64_t *size)
{
	uint64_t before = (h->shift + UINT64_C(1)) * HEAP_HEADER;

	if ((h->state != HEADER_LIVE && h->state != HEADER_FREE) || h->mark != HEADER_MARK || h->class >= HEAP_CLASSES ||
		before >= heap_class_bytes(h->class))
		return false;
	*size = heap_class_bytes(h->class) - before;
	return addr - (at + HEAP_HEADER) < *size;
}

/* Finds the block that contains the address: the one of the nearest header before it. */
static bool find_block(int memory, uint64_t addr, uint64_t *start, uint64_t *size)
{
	struct heap_header page[4096 / HEAP_HEADER];

	for (uint64_t end = addr / HEAP_HEADER * HEAP_HEADER; addr - end < FARTHEST && end > sizeof(page);) {
		uint64_t from = (end - 1) / sizeof(page) * sizeof(page), n = end - from;
		if (pread(memory, page, n, (off_t)from) != (ssize_t)n)
			return false;
		for (; n; n -= HEAP_HEADER) {
			uint64_t at = from + n - HEAP_HEADER;
			if (!holds(&page[n / HEAP_HEADER - 1], at, addr, size))
				continue;
			*start = at + HEAP_HEADER;
			return true;
		}
		end = from;
	}
	return false;
}

static void add_block(struct symbols *s, struct heap_low low, int memory, uint64_t addr)
{
	uint64_t start, size;

	if ((addr - HEAP_LO < HEAP_HI - HEAP_LO || addr - low.at < low.bytes) && !symbols_in_block(s, addr) &&
		find_block(memory, addr, &start, &size))
		symbols_add_block(s, start, size);
}

static void add_pointers(struct symbols *s, struct heap_low low, int memory, const uint8_t *bytes, unsigned size)
{
	uint64_t word;

	for (unsigned at = 0; at + sizeof(word) <= size; at += sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		add_block(s, low, memory, word);
	}
}

void heap_blocks_number(const struct recording *r, struct symbols *s, struct heap_low low, int memory)
{
	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rec_step *st = &r->steps[i];
		const struct rec_object *o = st->obj[0] ? &r->objects[st->obj[0] - 1] : NULL;

		if (o && o->kind == OBJ_MEMORY)
			add_block(s, low, memory, o->addr);
		if (st->value.has_before)
			add_pointers(s, low, memory, st->value.before, st->value.size);
		if (st->value.has_after)
			add_pointers(s, low, memory, st->value.after, st->value.size);
	}
}
