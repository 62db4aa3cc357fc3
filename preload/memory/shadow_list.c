/*
 * Lists of accesses and sets of readers; see shadow_list.h.
 *
 * Sensors reach this in the middle of the program's code: it calls nothing of libc and uses no vector register.
 */
#pragma GCC visibility push(hidden) /* no indirection through the global offset table */
#include "preload/memory/shadow_list.h"

#include "preload/base/access.h"
#include "preload/base/state.h"
#include "preload/memory/data_races.h"
#include "preload/memory/shadow_record.h"
#include "preload/memory/shadow_table.h"
#include "sched/memory.h"
#pragma GCC visibility pop
#include "preload/base/rules.h"

_Static_assert((int)PAST_READ == MEM_READ && (int)PAST_WRITE == MEM_WRITE && (int)PAST_ATOMIC == MEM_ATOMIC &&
	(int)PAST_PLAIN == MEM_PLAIN, "history.h");

#define MOST_PAST (1u << 26)
#define MOST_READERS (1u << 16)

struct history shadow_history;
struct readers shadow_readers;

/* ---- room ---- */

uint64_t shadow_list_bytes(void)
{
	return (uint64_t)MOST_PAST * sizeof *shadow_history.at + MOST_READERS * sizeof *shadow_readers.at;
}

void shadow_list_init(void *room)
{
	shadow_history.at = room;
	shadow_history.cap = MOST_PAST;
	shadow_readers.at = (struct reader *)(shadow_history.at + MOST_PAST);
	shadow_readers.cap = MOST_READERS;
}

bool shadow_list_part(unsigned i, uint64_t *lo, uint64_t *bytes)
{
	switch (i) {
	case 0:
		*lo = (uintptr_t)shadow_history.at;
		*bytes = (shadow_history.used + 1) * sizeof *shadow_history.at;
		return true;
	case 1:
		*lo = (uintptr_t)shadow_readers.at;
		*bytes = (shadow_readers.used + 1) * sizeof *shadow_readers.at;
		return true;
	default:
		return false;
	}
}

/* ---- what follows from a conflict ---- */

uint32_t shadow_conflicts;

void shadow_discover(uint64_t word, unsigned bytes)
{
	shadow_conflicts++;
	if (ctl_session->config.mode != MODE_EXPLORE)
		return;
	for (unsigned i = 0; i < 8; i++)
		if (bytes >> i & 1)
			memory_discover(ctl_segment(ctl_session->layout.memory_off), word + i, 1);
}

/* Handles a conflict, as a history_conflict function. ctx points to a struct conflict_place. */
static void conflict(void *ctx, const struct past *first, const struct past *second, unsigned bytes)
{
	const struct conflict_place *at = ctx;
	if (bytes & ~at->shared)
		shadow_discover(at->word, bytes & ~at->shared);
	if ((first->flags & second->flags & PAST_EVENT) && !(first->flags & second->flags & PAST_ATOMIC))
		races_report(first, second, at->addr, at->size);
}

/* *p is an access by one of `handlers`. They could also have run before some accesses of the interrupted thread. Makes the bytes of these
   accesses visible. */
static void discover_interrupted(uint32_t head, const struct past *p, const struct interrupt *handlers, const struct conflict_place *at)
{
	for (uint32_t i = head; i; i = shadow_history.at[i].next) {
		const struct past *q = &shadow_history.at[i];
		unsigned both = q->bytes & p->bytes;
		if (both && ((q->flags | p->flags) & PAST_WRITE) && q->thread == p->thread &&
			interrupt_precedes(handlers, q->thread, q->epoch, at->word))
			shadow_discover(at->word, both & ~at->shared);
	}
}

/* ---- lists ---- */

uint32_t shadow_list_of(uint64_t x)
{
	uint32_t head = 0;
	if (x & LISTED)
		return (uint32_t)x;
	for (uint32_t i = x & READERS ? (uint32_t)x : 0; i; i = shadow_readers.at[i].rest) {
		struct past r = { .thread = shadow_readers.at[i].thread, .epoch = shadow_readers.at[i].epoch, .flags = PAST_READ,
			.bytes = (uint8_t)(x >> BYTES_SHIFT) };
		if (!history_append(&shadow_history, &head, &r))
			table_too_small();
	}
	if (x & READERS)
		return head;
	struct past w = past_write(x), r = past_read(x);
	if ((w.bytes && !history_append(&shadow_history, &head, &w)) ||
		(r.bytes && !history_append(&shadow_history, &head, &r)))
		table_too_small();
	return head;
}

/* Returns the compact record for a list; 0 when the list does not fit into one. */
static uint64_t as_record(uint32_t head)
{
	uint64_t x = 0;
	bool have[2] = { false, false };
	for (uint32_t i = head, n = 0; i; i = shadow_history.at[i].next, n++) {
		const struct past *p = &shadow_history.at[i];
		bool write = p->flags & PAST_WRITE;
		if (n == 2 || have[write] || (p->flags & PAST_EVENT) || !fits(p->thread, p->epoch))
			return 0;
		have[write] = true;
		x |= part(p->bytes, p->epoch, p->thread, write);
	}
	return x;
}

void shadow_list_add(uint64_t *r, struct conflict_place *at, const struct past *p, const struct interrupt *handlers, uint32_t keep)
{
	shadow_history.hides = interrupt_any ? interrupt_hides : NULL;
	uint32_t head = shadow_list_of(*r);
	at->shared = shared_bytes(*r);
	if (handlers)
		discover_interrupted(head, p, handlers, at);
	if (!history_add(&shadow_history, &head, ctl_hb, p, keep, conflict, at))
		table_too_small();
	uint64_t x = at->shared ? 0 : as_record(head);
	if (x)
		history_forget(&shadow_history, &head, 0xff);
	*r = x ? x : LISTED | (uint64_t)at->shared << BYTES_SHIFT | head;
}

void shadow_list_forget(uint64_t *r, unsigned bytes)
{
	uint64_t x = *r;
	if (x & LISTED) {
		uint32_t head = (uint32_t)x;
		history_forget(&shadow_history, &head, bytes);
		x = (x & ~UINT64_C(0xffffffff)) | head;
		*r = head || shared_bytes(x) ? x : 0;
		return;
	}
	if (x & READERS) {
		x &= ~((uint64_t)bytes << BYTES_SHIFT);
		*r = field(x, BYTES_SHIFT, 256) ? x : 0;
		return;
	}
	x &= ~((uint64_t)bytes << WRITE_SHIFT | (uint64_t)bytes << READ_SHIFT);
	if (!field(x, WRITE_SHIFT, 256))
		x &= ~WRITE_PART;
	if (!field(x, READ_SHIFT, 256))
		x &= ~READ_PART;
	*r = x;
}

unsigned shadow_list_foreign(uint64_t x, thread_id t)
{
	unsigned bytes = 0;
	if (x & READERS)
		return 0;
	if (!(x & LISTED)) {
		struct past w = past_write(x);
		return w.thread != t ? w.bytes : 0;
	}
	for (uint32_t i = (uint32_t)x; i; i = shadow_history.at[i].next)
		if ((shadow_history.at[i].flags & PAST_WRITE) && shadow_history.at[i].thread != t)
			bytes |= shadow_history.at[i].bytes;
	return bytes & ~shared_bytes(x);
}
