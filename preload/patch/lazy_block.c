/* Blocks of a library that is patched function by function: closed, open, or open and writable; see lazy.c. */
#include "preload/patch/library.h"

#include <string.h>
#include <sys/mman.h>

#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define PLAIN 320    /* more bytes than this without unwind information in one place are reported whatever leads there, as in patch.c */
#define ALIGNMENT 63 /* at most this much padding is between two functions */

uint64_t block_of(const struct library *l, uint32_t off)
{
	return (l->image.lo + off - l->lo) / BLOCK;
}

static uint64_t block_lo(const struct library *l, uint64_t b)
{
	return l->lo + b * BLOCK;
}

static uint64_t block_bytes(const struct library *l, uint64_t b)
{
	return l->bytes - b * BLOCK < BLOCK ? l->bytes - b * BLOCK : BLOCK;
}

void block_copy(struct library *l, uint64_t b)
{
	if (!bit(l->copied, b))
		memcpy(l->copy + b * BLOCK, (const void *)block_lo(l, b), block_bytes(l, b));
	set_bit(l->copied, b);
}

void library_hole(struct library *l, uint32_t off, enum patch_reason reason)
{
	struct patch_hole h = { .addr = l->image.lo + off, .reason = reason, .lazy = true };
	l->info.uncovered++;
	library_report(l);
	if (l->config.report.hole)
		l->config.report.hole(l->config.report.ctx, &h);
}

void library_blind(struct library *l, uint32_t off)
{
	if (!bit(l->left, off))
		library_hole(l, off, PATCH_NO_UNWIND);
	set_bit(l->left, off);
}

static void note_blind(struct engine *e, uint32_t off)
{
	library_blind(e->library, off);
}

void library_executes(struct library *l, uint32_t off)
{
	lazy_engine->image = l->image;
	lazy_engine->config = l->config;
	lazy_engine->library = l;
	lazy_engine->m = &l->info;
	blind_at(lazy_engine, off, note_blind);
}

/* Reports code in [lo, hi), which has no unwind information. Every library has a little of it: the compiler's start-up code. */
static void look_at_hole(struct library *l, uint64_t lo, uint64_t hi)
{
	if (hi > lo + PLAIN && decode_is_code(lazy_engine, lo, hi)) {
		library_blind(l, (uint32_t)(lo - l->image.lo));
	} else if (hi > lo + ALIGNMENT) {
		lazy_engine->config = l->config;
		lazy_engine->library = l;
		lazy_engine->m = &l->info;
		blind_exported(lazy_engine, (uint32_t)(lo - l->image.lo), (uint32_t)(hi - l->image.lo), note_blind);
	}
}

bool block_within(const struct library *l, uint64_t b, uint64_t *lo, uint64_t *hi)
{
	uint64_t start = block_lo(l, b), end = start + block_bytes(l, b);
	*lo = *lo > start ? *lo : start;
	*hi = *hi < end ? *hi : end;
	return *lo < *hi;
}

void block_fill(struct library *l, uint64_t b, bool back)
{
	uint64_t i = 0, n, at = block_lo(l, b);
	struct func f;
	if (!module_table(&l->image, &n))
		return;
	lazy_engine->image = l->image;
	if (!module_entry(&l->image, block_lo(l, b), &i))
		i = 0;
	for (; i < n; i++) {
		if (!module_peek(lazy_engine, i, &f))
			continue;
		uint64_t lo = l->image.lo + f.lo, hi = l->image.lo + f.hi;
		if (lo >= block_lo(l, b) + block_bytes(l, b))
			break;
		if (!back)
			look_at_hole(l, at, lo);
		at = hi > at ? hi : at;
		if (f.foreign || bit(l->known, f.lo) || bit(l->left, f.lo) || !block_within(l, b, &lo, &hi))
			continue;
		if (back)
			memcpy((void *)lo, l->copy + (lo - l->lo), hi - lo);
		else
			code_fill((void *)lo, hi - lo);
	}
}

bool block_unlock(struct library *l, uint64_t b)
{
	if (bit(l->writable, b))
		return true;
	block_copy(l, b);
	if (sys_failed(sys_mprotect((void *)block_lo(l, b), block_bytes(l, b), PROT_READ | PROT_WRITE)))
		return false;
	set_bit(l->writable, b);
	if (!bit(l->open, b) && !l->part)
		block_fill(l, b, false);
	set_bit(l->open, b);
	return true;
}

void block_lock(struct library *l, uint64_t b)
{
	if (bit(l->writable, b))
		make_executable(&l->config.report, block_lo(l, b), block_bytes(l, b));
	clear_bit(l->writable, b);
}

