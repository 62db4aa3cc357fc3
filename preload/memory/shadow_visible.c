/*
 * Marks visible bytes in the shadow, and compares the events that access them; see shadow.h.
 */
#include "preload/base/access.h"
#include "preload/base/state.h"
#include "preload/memory/shadow.h"

#include "base/state_places.h"
#include "preload/memory/aliases.h"
#include "preload/memory/interrupt.h"
#include "preload/memory/shadow_list.h"
#include "preload/memory/shadow_record.h"
#include "preload/memory/shadow_table.h"
#include "sched/hb.h"
#include "sched/memory.h"
#include "preload/base/rules.h"

static uint32_t applied; /* value of memory_table.changes at the last shadow_apply */

static struct memory_table *table(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

void shadow_event(thread_id t, uint64_t addr, uint64_t size, unsigned flags, uint64_t pc)
{
	if (is_resource(addr)) /* kernel/resources.c finds the conflicts; the bytes between two resources mean nothing */
		return;
	struct past p = { .thread = t, .epoch = hb_epoch(ctl_hb, t), .pc = pc,
		.flags = (uint8_t)((flags & (MEM_READ | MEM_WRITE | MEM_ATOMIC | MEM_PLAIN)) | (flags & MEM_CHANGE ? 0 : PAST_EVENT)) };
	for (uint64_t word = addr & ~UINT64_C(7); word < addr + size; word += 8) {
		struct conflict_place at = { .word = word, .addr = addr, .size = size };
		uint32_t leaf = word >> ADDRESS_BITS ? 0 : table_leaf(word);
		if (!leaf)
			continue;
		p.bytes = (uint8_t)bytes_in(word, addr, addr + size);
		table_set(table_maps[leaf].touched, word);
		shadow_list_add(table_record(leaf, word), &at, &p, interrupt_of(t), 0);
	}
}

/* Makes these bytes of the word visible in the shadow. */
static void mark(uint64_t word, unsigned bytes)
{
	uint32_t leaf = table_leaf(word);
	if (!leaf || !bytes)
		return;
	uint64_t *r = table_record(leaf, word);
	unsigned all = bytes | shared_bytes(*r);
	*r = LISTED | (uint64_t)all << BYTES_SHIFT | shadow_list_of(*r);
	table_set(table_maps[leaf].shared, word);
	table_set(table_maps[leaf].touched, word);
}

bool shadow_next_visible(uint64_t *at, uint64_t end)
{
	if (end >> ADDRESS_BITS)
		end = UINT64_C(1) << ADDRESS_BITS;
	while (*at < end) {
		uint32_t leaf = table_top[*at >> LEAF_BITS];
		if (leaf && table_in(table_maps[leaf].shared, *at))
			return true;
		*at = (*at | (leaf ? MEMORY_PAGE - 1 : LEAF_BYTES - 1)) + 1;
	}
	return false;
}

void shadow_apply(void)
{
	const struct memory_table *t = table();
	if (t->changes == applied)
		return;
	bool all = true;
	for (uint32_t no = 0; no < t->n && no < MEMORY_PAGES; no++)
		for (unsigned i = 0; i < 64; i++) {
			const struct memory_page *p = &t->page[no];
			all &= !(p->discovered[i] & ~p->shared[i]);
			for (uint64_t bits = p->shared[i], at = 0; bits; bits >>= 8, at += 8)
				mark(p->base + i * 64 + at, bits & 0xff);
		}
	applied = all ? t->changes : 0; /* 0 if some discovered bytes are not visible yet: they become so without a change of `changes` */
}

/* In a forced schedule: makes those of the bytes visible that became so in the middle of the recorded execution. */
static bool share_again(uint64_t addr, uint64_t size)
{
	bool news = false;
	for (uint64_t a = addr; a < addr + size; a++)
		if (memory_is_marked(table(), a) && memory_share_late(table(), a, 1)) {
			mark(a & ~UINT64_C(7), bytes_in(a & ~UINT64_C(7), a, a + 1));
			news = true;
		}
	return news;
}

static bool share(uint64_t addr, uint64_t size)
{
	if (ctl_session->config.mode != MODE_EXPLORE)
		return share_again(addr, size);
	if (ctl_session->ctl.warm_up.unsettled) { /* the search does not begin again, so what is visible must stay the same */
		memory_discover(table(), addr, size);
		return false;
	}
	if (!memory_share_late(table(), addr, size))
		return false;
	for (uint64_t word = addr & ~UINT64_C(7); word < addr + size; word += 8)
		mark(word, bytes_in(word, addr, addr + size));
	return true;
}

bool shadow_share(uint64_t addr, uint64_t size)
{
	bool news = false;
	for (uint64_t end = addr + size, key, to; addr < end; addr = to) {
		to = alias_run(addr, end, &key);
		news |= share(key, to - addr);
	}
	return news;
}

void shadow_share_next(uint64_t addr, uint64_t size)
{
	for (uint64_t end = addr + size, key, to; addr < end; addr = to) {
		to = alias_run(addr, end, &key);
		memory_discover(table(), key, to - addr);
	}
}

void shadow_discover_foreign(thread_id t, uint64_t lo, uint64_t hi)
{
	for (uint64_t word = lo & ~UINT64_C(7); word < hi && !(word >> ADDRESS_BITS); word += 8) {
		uint32_t leaf = table_top[word >> LEAF_BITS];
		if (leaf)
			shadow_discover(word, shadow_list_foreign(*table_record(leaf, word), t));
	}
}
