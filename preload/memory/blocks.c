/* Live blocks; see blocks.h. */
#include "preload/memory/blocks.h"

#include "preload/base/access.h"
#include "preload/memory/heap_layout.h"
#include "preload/memory/shadow_table.h"
#include "preload/base/rules.h"

bool blocks_on;

/* The marks of a block must not cost more than the program's own use of the block. So the end of a block above EXACT bytes is known only to
   a word, and freeing a block marks only its first MARKED bytes. */
#define EXACT UINT64_C(65536)
#define MARKED (UINT64_C(1) << 20)
#define FARTHEST (2 * EXACT) /* the header of the block that holds an address is looked for in this many bytes */

#define READ_CHUNK UINT64_C(32)
#define VECTOR 16u
#define VECTOR_LINE UINT64_C(64)

void blocks_begin(void)
{
	blocks_on = true;
	heap_let_wait();
}

/* ---- marks ---- */

/* Sets or clears the marks of the words in [lo, hi). */
static void set_marks(uint64_t lo, uint64_t hi, bool on)
{
	for (uint64_t at = lo, n; at < hi; at += n * 8) {
		uint32_t leaf = table_top[at >> LEAF_BITS];
		if (!leaf && !(leaf = table_leaf(at)))
			return; /* no room; table_leaf makes the verdict say so */
		unsigned bit = at / 8 % 64;
		n = (hi - at) / 8 < 64 - bit ? (hi - at) / 8 : 64 - bit;
		uint64_t *marks = table_mark(leaf, at), mask = (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << bit;
		uint64_t want = on ? *marks | mask : *marks & ~mask;
		if (want != *marks) /* written only if needed: a rewind must restore each page that was written to */
			*marks = want;
	}
}

static bool has_mark(uint64_t addr)
{
	uint32_t leaf = addr >> ADDRESS_BITS ? 0 : table_top[addr >> LEAF_BITS];
	return leaf && table_marked(leaf, addr);
}

/* Returns the nearest word with a mark before `word`, at most `far` bytes away; 0 when there is none. */
static uint64_t mark_before(uint64_t word, uint64_t far)
{
	for (uint64_t at = word, n; word - at < far; at -= n * 8) {
		uint32_t leaf = table_top[(at - 8) >> LEAF_BITS];
		unsigned bit = (at - 8) / 8 % 64;
		n = bit + 1;
		uint64_t marks = leaf ? *table_mark(leaf, at - 8) & (~UINT64_C(0) >> (63 - bit)) : 0;
		if (marks)
			return at - 8 - (bit - (63 - (unsigned)__builtin_clzll(marks))) * UINT64_C(8);
	}
	return 0;
}

/* ---- blocks ---- */

static uint64_t chunk_start(const struct heap_header *h)
{
	return (uintptr_t)h - h->shift * UINT64_C(16);
}

static uint64_t chunk_end(const struct heap_header *h)
{
	return chunk_start(h) + heap_class_bytes(h->class);
}

static const struct heap_header *header_of(const void *p)
{
	return (const struct heap_header *)p - 1;
}

static bool is_header(const struct heap_header *h)
{
	return h->mark == HEADER_MARK && h->class < HEAP_CLASSES && (h->state == HEADER_LIVE || h->state == HEADER_FREE) &&
	       (h->shift + UINT64_C(1)) * HEAP_HEADER <= heap_class_bytes(h->class);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void block_new(const void *p)
{
	const struct heap_header *h = header_of(p);
	uint64_t start = (uintptr_t)p, whole = start + h->size / 8 * 8, end = chunk_end(h), most = chunk_start(h) + MARKED;
	if (!blocks_on)
		return;
	if (h->size > EXACT)
		whole = least((start + h->size + 7) & ~UINT64_C(7), end);
	/* the next header as well, even if its block was never allocated */
	if (end <= most) {
		set_marks(chunk_start(h), end + HEAP_HEADER, true);
	} else {
		set_marks(chunk_start(h), most, true);
		set_marks(start - HEAP_HEADER, start, true);
		set_marks(end, end + HEAP_HEADER, true);
	}
	set_marks(start, least(whole, most), false);
}

uint64_t block_changes;

void block_gone(const void *p)
{
	block_changes++;
	const struct heap_header *h = header_of(p);
	if (blocks_on)
		set_marks((uintptr_t)p, least(chunk_end(h), chunk_start(h) + MARKED), true);
}

/* If the word is in a live block, the nearest word with a mark before it is the second half of that block's header. */
unsigned block_bytes(uint64_t word)
{
	uint64_t half = mark_before(word, EXACT + HEAP_HEADER), start = half + 8;
	const struct heap_header *h = (const struct heap_header *)(half - 8);
	if (!half || half % HEAP_ALIGN != 8 || !has_mark(half - 8) || !is_header(h) || h->state != HEADER_LIVE || h->size > EXACT ||
		start + h->size / 8 * 8 != word)
		return 0;
	return (1u << h->size % 8) - 1;
}

bool block_suspect(uint64_t addr, uint64_t size)
{
	if (!blocks_on || !heap_owns((const void *)addr) || (addr + size) >> ADDRESS_BITS || !size)
		return false;
	if (has_mark(addr))
		return true;
	uint64_t last = (addr + size - 1) & ~UINT64_C(7);
	return last > addr && (has_mark(last) || mark_before(last, last - addr) >= (addr & ~UINT64_C(7)));
}

/* ---- errors ---- */

bool block_holds(uint64_t addr)
{
	return !has_mark(addr) || block_bytes(addr & ~UINT64_C(7)) >> (addr & 7) & 1;
}

bool block_lacks(uint64_t addr, uint64_t size)
{
	if (!block_suspect(addr, size))
		return false;
	for (uint64_t at = addr; at < addr + size; at++)
		if (!block_holds(at))
			return true;
	return false;
}

static bool any_live(uint64_t lo, uint64_t hi)
{
	for (; lo < hi; lo++)
		if (block_holds(lo))
			return true;
	return false;
}

/* Returns whether the access may be one that reads more than it needs (blocks.h), or one with a mask. */
static bool allowed(const struct mem_access *a, enum memory_error error)
{
	bool vector = a->size >= VECTOR && a->size <= VECTOR_LINE;
	uint64_t end = a->addr + a->size, line = vector ? VECTOR_LINE : READ_CHUNK;
	if (a->flags & (MEM_PLAIN | MEM_ATOMIC))
		return false;
	if (a->flags & (MEM_WRITE | MEM_MASKED))
		return a->flags & MEM_MASKED;
	if (any_live(a->addr, end))
		return a->addr / line == (end - 1) / line;
	return vector && error != MEMORY_FREED && any_live(a->addr & -line, (a->addr & -line) + line);
}

/* Returns the nearest header at or before the address. Its chunk must contain the address, or end less than a header before it. NULL: there
   is none. */
static const struct heap_header *nearest(uint64_t addr)
{
	const struct heap_header *h = (const struct heap_header *)(addr & -(uint64_t)HEAP_ALIGN);
	for (; addr - (uintptr_t)h < FARTHEST; h--) {
		uint32_t leaf = table_top[(uintptr_t)h >> LEAF_BITS];
		if (!leaf || !heap_owns(h))
			return NULL;
		if (!has_mark((uintptr_t)h) || !has_mark((uintptr_t)h + 8) || !is_header(h) || addr >= chunk_end(h) + HEAP_HEADER)
			continue;
		if (((const struct heap_header *)chunk_start(h))->state == h->state) /* otherwise the header is a remnant of a freed block */
			return h;
	}
	return NULL;
}

/* Finds the nearest block, for an address that belongs to no live block. Returns the kind of error. */
static enum memory_error describe(uint64_t at, struct session_block *out)
{
	const struct heap_header *h = nearest(at);
	uint64_t start = (uintptr_t)h + HEAP_HEADER;
	if (!h)
		return MEMORY_NONE;
	if (at < start && h->state != HEADER_LIVE) /* in the header of a freed block: probably beyond the end of the previous block */
		h = nearest((uintptr_t)h - 1) ? nearest((uintptr_t)h - 1) : h;
	else if (at < start) {
		const struct heap_header *before = nearest((uintptr_t)h - 1);
		if (before && before->state == HEADER_LIVE && chunk_end(before) == (uintptr_t)h &&
			at - ((uintptr_t)before + HEAP_HEADER + before->size) < start - at)
			h = before;
	}
	start = (uintptr_t)h + HEAP_HEADER;
	out->block = start;
	out->block_size = h->state == HEADER_LIVE ? h->size : chunk_end(h) - start;
	if (at < start)
		return MEMORY_BEFORE;
	return h->state == HEADER_LIVE ? MEMORY_BEYOND : MEMORY_FREED;
}

/* Like describe, for an access that begins in a live block and leaves it at `at`. */
static enum memory_error describe_end(uint64_t at, struct session_block *out)
{
	uint64_t half = mark_before(at & ~UINT64_C(7), FARTHEST);
	const struct heap_header *h = (const struct heap_header *)(half - 8);
	if (!half || half % HEAP_ALIGN != 8 || !is_header(h) || h->state != HEADER_LIVE)
		return MEMORY_NONE;
	out->block = half + 8;
	out->block_size = h->size;
	return MEMORY_BEYOND;
}

enum memory_error block_check(const struct mem_access *a, struct session_block *out)
{
	uint64_t at = a->addr, end = a->addr + a->size;
	while (at < end && block_holds(at))
		at = has_mark(at) ? at + 1 : (at & ~UINT64_C(7)) + 8;
	if (at >= end)
		return MEMORY_NONE;
	*out = (struct session_block){ .write = !!(a->flags & MEM_WRITE), .addr = a->addr, .size = a->size };
	out->error = at > a->addr ? describe_end(at, out) : describe(at, out);
	return allowed(a, out->error) ? MEMORY_NONE : out->error;
}

uint64_t block_begin(uint64_t addr)
{
	const struct heap_header *h = blocks_on && heap_owns((const void *)addr) ? nearest(addr) : NULL;
	return h && h->state == HEADER_LIVE && addr >= (uintptr_t)h + HEAP_HEADER && addr < chunk_end(h) ? (uintptr_t)h + HEAP_HEADER : 0;
}

void block_of_free(const void *p, struct session_block *out)
{
	uint64_t at = (uintptr_t)p;
	*out = (struct session_block){ .error = MEMORY_INVALID_FREE, .addr = at };
	if (!blocks_on || !heap_owns(p))
		return;
	if (heap_check(p) == HEAP_FREED)
		out->error = MEMORY_DOUBLE_FREE;
	const struct heap_header *h = heap_check(p) == HEAP_FREED ? header_of(p) : nearest(at);
	if (!h)
		return;
	out->block = (uintptr_t)h + HEAP_HEADER;
	out->block_size = h->state == HEADER_LIVE ? h->size : chunk_end(h) - out->block;
}
