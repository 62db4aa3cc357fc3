#include "preload/memory/footprint.h"

#include <string.h>

#include "base/hash.h"
#include "base/table.h"
#include "preload/base/access.h"
#include "preload/base/safe_read.h"
#include "preload/memory/aliases.h"
#include "preload/memory/shadow.h"
#include "preload/memory/shadow_record.h"
#include "preload/memory/watched.h"
#include "sched/step.h"
#include "preload/base/rules.h"

#define SLOTS (2 * STEP_WORDS)
#define BLOCKS 16

bool footprint_open;

/* Private memory: each execution begins with the values at the checkpoint. */
static struct {
	uint64_t lo, live, hi, ignored[FOOTPRINT_IGNORED];
	unsigned n_ignored;
	struct {
		uint64_t lo, hi;
	} block[BLOCKS]; /* that the step allocated; further ones count as any memory */
	unsigned n_blocks;
	uint64_t pause; /* stack pointer in the scheduler's function that paused the step; 0: it is not paused */
	bool unknown, never;
	bool lacks; /* a watched word was accessed */
	uint32_t n;
	uint32_t step;  /* number of the step */
	struct {
		uint32_t step; /* the step that uses the slot */
		uint32_t at;
	} slot[SLOTS];
	struct step_word word[STEP_WORDS];
} foot;

void footprint_begin(uint64_t lo, uint64_t live, uint64_t hi)
{
	foot.lo = lo;
	foot.live = live;
	foot.hi = hi;
	foot.n_ignored = foot.n_blocks = 0;
	foot.pause = 0;
	foot.unknown = foot.never;
	foot.n = 0;
	foot.lacks = false;
	if (!++foot.step)
		foot.unknown = true; /* slots of old steps would count; this takes 2^32 steps of one execution */
	footprint_open = true;
	shadow_fence(); /* mem_note looks at footprint_open again */
}

void footprint_ignore(uint64_t word)
{
	if (foot.n_ignored < FOOTPRINT_IGNORED)
		foot.ignored[foot.n_ignored++] = word;
}

static bool ignored(uint64_t word)
{
	for (unsigned i = 0; i < foot.n_ignored; i++)
		if (foot.ignored[i] == word)
			return true;
	return false;
}

void footprint_new(uint64_t addr, uint64_t size)
{
	if (!footprint_open || foot.n_blocks == BLOCKS)
		return;
	foot.block[foot.n_blocks].lo = addr & ~UINT64_C(7);
	foot.block[foot.n_blocks++].hi = addr + size;
}

static bool in_new_block(uint64_t word)
{
	for (unsigned i = 0; i < foot.n_blocks; i++)
		if (word >= foot.block[i].lo && word < foot.block[i].hi)
			return true;
	return false;
}

bool footprint_pause(const void *frame)
{
	if (!footprint_open || foot.pause)
		return false;
	foot.pause = (uint64_t)frame;
	return true;
}

void footprint_continue(void)
{
	foot.pause = 0;
}

/* Returns the element for the word, and makes it if needed; NULL: there is no room. */
static struct step_word *element(uint64_t word)
{
	uint32_t at = TABLE_SLOT(i, hash_spread(word) >> 40, SLOTS,
		foot.slot[i].step != foot.step || foot.word[foot.slot[i].at].word == word);
	if (foot.slot[at].step == foot.step)
		return &foot.word[foot.slot[at].at];
	if (foot.n == STEP_WORDS)
		return NULL;
	foot.slot[at].step = foot.step;
	foot.slot[at].at = foot.n;
	struct step_word *w = &foot.word[foot.n++];
	w->word = word;
	w->read = w->write = 0;
	w->by_scheduler = 0;
	return w;
}

/* Records an access of the program to up to 8 bytes of a word. Returns the element; NULL: the footprint is unknown. */
static struct step_word *footprint_program(uint64_t word, unsigned bytes, bool write)
{
	if (!footprint_open || foot.unknown)
		return NULL;
	struct step_word *w = element(word);
	if (!w)
		foot.unknown = true;
	else if (write)
		w->write |= (uint8_t)bytes;
	else
		w->read |= (uint8_t)bytes;
	return w;
}

void footprint_word(uint64_t word, unsigned bytes, bool write)
{
	struct step_word *w = footprint_program(word, bytes, write);
	if (w)
		w->by_scheduler = 1;
}

void footprint_operation(uint64_t event, unsigned operation)
{
	footprint_word((event & ~UINT64_C(7)) | 1, operation, false);
}

/* Returns whether the bytes are all 0: then writing 0 to them has the effect of a read. */
static bool zero(uint64_t addr, uint64_t size)
{
	uint64_t bytes = 1;
	return size <= sizeof bytes && safe_read(addr, memset(&bytes, 0, sizeof bytes), size) == size && !bytes;
}

static bool writes(uint64_t addr, uint64_t size, unsigned flags)
{
	return (flags & (MEM_WRITE | MEM_FREE)) && !(flags & MEM_ZERO && zero(addr, size));
}

/* Returns whether accesses of the word by the step count. */
static bool counts(uint64_t word)
{
	return (word < foot.lo || word >= foot.live) && !ignored(word) && !in_new_block(word);
}

bool footprint_access(uint64_t addr, uint64_t size, unsigned flags, uint64_t sp)
{
	if (sp - foot.lo >= foot.hi - foot.lo || foot.unknown || !size)
		return false;
	if (foot.pause) {
		if (sp > foot.pause)
			foot.unknown = true; /* an exception has left the function */
		return false;
	}
	if (size > STEP_WORDS * 8) {
		foot.unknown = true;
		return false;
	}
	bool write = writes(addr, size, flags), lacks = false;
	for (uint64_t word = addr & ~UINT64_C(7), end = addr + size; word < end; word += 8)
		if (counts(word)) {
			footprint_program(alias_key(word), bytes_in(word, addr, end), write);
			lacks |= watched_lacks(alias_key(word), bytes_in(word, addr, end), write);
		}
	foot.lacks |= lacks;
	return lacks;
}

void footprint_record(const struct mem_access *a)
{
	if (!footprint_open || foot.unknown || foot.pause || !foot.lacks)
		return;
	bool write = writes(a->addr, a->size, a->flags);
	for (uint64_t word = a->addr & ~UINT64_C(7), end = a->addr + a->size; word < end; word += 8) {
		unsigned bytes = bytes_in(word, a->addr, end);
		if (counts(word) && watched_lacks(alias_key(word), bytes, write))
			watched_record(a, alias_key(word), bytes, write);
	}
}

void footprint_forget(uint64_t word)
{
	if (!footprint_open || foot.unknown)
		return;
	struct step_word *w = element(word);
	if (w)
		w->read = w->write = 0;
}

void footprint_unknown(void)
{
	foot.unknown = true;
}

void footprint_never(void)
{
	foot.unknown = foot.never = true;
}

uint32_t footprint_end(struct step_word *to)
{
	footprint_open = false;
	if (foot.unknown)
		return UINT32_MAX;
	uint32_t n = 0;
	for (uint32_t i = 0; i < foot.n; i++)
		if (foot.word[i].read | foot.word[i].write)
			to[n++] = foot.word[i];
	step_sort(to, n);
	return n;
}

void footprint_drop(void)
{
	footprint_open = false;
}
