/*
 * The shadow's hot path: mem_note, which sensors call before every access; see shadow.h. shadow_record.h describes a record.
 *
 * mem_note runs in the middle of the program's code. It calls nothing of libc and uses no vector register.
 */
#include "preload/memory/shadow.h"

#include <sys/auxv.h>

/* Hidden, so that the code reaches these without the global offset table. */
#pragma GCC visibility push(hidden)
#include "preload/base/access.h"
#include "preload/base/running.h"
#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/memory/aliases.h"
#include "preload/memory/blocks.h"
#include "preload/memory/child_reads.h"
#include "preload/memory/changes.h"
#include "preload/memory/dead_stack.h"
#include "preload/memory/footprint.h"
#include "preload/base/guard.h"
#include "preload/memory/heap.h"
#include "preload/memory/interrupt.h"
#include "preload/memory/note.h"
#include "preload/memory/shadow_list.h"
#include "preload/memory/shadow_record.h"
#include "preload/memory/shadow_table.h"
#include "preload/memory/window.h"
#include "sched/hb.h"
#include "sched/history.h"
#include "sched/memory.h"
#include "sched/readers.h"
#pragma GCC visibility pop
#include "preload/base/rules.h"

int64_t mem_budget = 1;
bool mem_coarse;
bool shadow_order_unseen;
uint64_t mem_writes, mem_local_writes;

/* Data of the running thread for mem_note. Valid until the next event, or until another thread runs. */
static struct {
	const struct fiber *fiber;
	uint32_t events, epoch;
	thread_id thread;
	uint64_t write_key, read_key; /* the record of its write or read in this epoch, without the bytes */
	uint32_t joins, joined; /* the latest set of readers to which the thread was added, and the resulting set; joined 0: none */
	const struct interrupt *handlers; /* the signal handlers that run on the thread, or NULL */
	uint32_t keep; /* with handlers: accesses that the thread made from this epoch on must stay in the shadow */
} now;

/* ---- start ---- */

void shadow_init(void)
{
	shadow_list_init(table_init(shadow_list_bytes()));
}

bool shadow_part(unsigned i, uint64_t *lo, uint64_t *bytes)
{
	return i < 2 ? shadow_list_part(i, lo, bytes) : table_part(i - 2, lo, bytes);
}

uint64_t shadow_page(uint64_t addr)
{
	uint32_t leaf = addr >> ADDRESS_BITS ? 0 : table_leaf(addr);
	return leaf ? (uintptr_t)table_record(leaf, addr & -UINT64_C(4096)) : 0;
}

void shadow_region(uint64_t *lo, uint64_t *hi)
{
	*lo = (uintptr_t)table_top;
	*hi = *lo + table_bytes;
}

void shadow_prepare(void)
{
	table_leaf(getauxval(AT_PHDR));
	for (const struct fiber *f = fiber_first; f; f = f->next)
		if (f->stack.own_hi && f->stack.own_hi >> ADDRESS_BITS == 0) {
			table_leaf(f->stack.own_hi - 1);
			dead_stack_of(f);
		}
}

/* ---- words that several threads read ---- */

/* The running thread reads bytes that the threads in `set` have read and no thread has written. Makes *r the record for the larger set.
   Returns false when there is no room for the set; then the record must become a list. */
static bool join(uint64_t *r, uint32_t set, unsigned bytes)
{
	if (set != now.joins || !now.joined) {
		now.joined = readers_add(&shadow_readers, set, ctl_hb, now.thread, now.epoch);
		now.joins = set;
	}
	if (!now.joined)
		return false;
	*r = READERS | (uint64_t)bytes << BYTES_SHIFT | now.joined;
	return true;
}

/* Adds a read to a record of readers. Returns false when the record must become a list. */
static bool read_too(uint64_t *r, unsigned bytes)
{
	unsigned all = field(*r, BYTES_SHIFT, 256);
	uint32_t set = (uint32_t)*r;
	if (bytes & ~all)
		return false;
	if (set == now.joined)
		return true;
	return bytes == all && join(r, set, bytes);
}

/* Adds a read to a record that holds one read, *p, of the same bytes by another thread. Returns false when the record must become a list. */
static bool read_by_two(uint64_t *r, const struct past *p)
{
	uint32_t set = readers_add(&shadow_readers, 0, ctl_hb, p->thread, p->epoch);
	return set && join(r, set, p->bytes);
}

/* ---- one word ---- */

/* Returns whether the access is thread t's own, or happens before t's next access. */
static bool before(const struct past *p, thread_id t)
{
	if (!p->bytes || p->thread == t)
		return true;
	uint32_t seen = hb_seen(ctl_hb, t, p->thread);
	return seen >= p->epoch && !(interrupt_any && interrupt_hides(p->thread, p->epoch, seen));
}

/* Returns whether p is an access that a handler of its own thread must not replace. */
static bool kept(const struct past *p)
{
	return p->bytes && p->thread == now.thread && p->epoch >= now.keep && p->epoch != now.epoch;
}

/* Adds an access that is no event to a compact record. Returns false when the result does not fit into one. */
static bool update(uint64_t *r, uint64_t word, unsigned bytes, bool write)
{
	uint64_t x = *r, new = part(bytes, now.epoch, now.thread, write);
	thread_id t = now.thread;
	if (now.write_key == NO_KEY)
		return false;
	struct past w = past_write(x), rd = past_read(x);
	bool w_before = before(&w, t), r_before = before(&rd, t);
	if (now.handlers && (kept(&w) || kept(&rd)))
		return false;
	if (!write) {
		bool mine = rd.thread == t && rd.epoch == now.epoch;
		if (rd.bytes && !mine && (!r_before || (rd.bytes & ~bytes)))
			return !r_before && !interrupt_any && !w.bytes && rd.bytes == bytes && read_by_two(r, &rd);
		if (!w_before && (w.bytes & bytes))
			shadow_discover(word, w.bytes & bytes);
		*r = (x & (WRITE_PART | 0xff << WRITE_SHIFT)) | new | (mine ? rd.bytes << READ_SHIFT : 0);
		return true;
	}
	bool mine = w.thread == t && w.epoch == now.epoch;
	if (w.bytes && !mine && (!w_before || (w.bytes & ~bytes)))
		return false;
	if (!r_before && (rd.bytes & bytes))
		return false;
	if (rd.bytes & ~bytes) /* keeps the read of other bytes; the write represents earlier reads of the same bytes */
		new |= x & ~((uint64_t)bytes << READ_SHIFT) & (READ_PART | 0xff << READ_SHIFT);
	*r = new | (mine ? w.bytes << WRITE_SHIFT : 0);
	return true;
}

/* Called when the program accesses simul's own memory. Returns true for a write, which mem_perform reports; reads have no effect. */
static bool hits_simul(uint64_t addr, bool write)
{
	if (write)
		guard_hit = addr;
	return write;
}

/* Returns whether these bytes of the word are all 0. The program has accessed the word before, so it can be read. */
static bool all_zero(uint64_t word, unsigned bytes)
{
	const volatile uint8_t *p = (const volatile uint8_t *)word;
	for (unsigned i = 0; i < 8; i++)
		if ((bytes >> i & 1) && p[i])
			return false;
	return true;
}

/* Sets shadow_order_unseen if the access, before which there were so many conflicts, may acquire from another
   thread. */
static void note_order(uint32_t conflicts, unsigned flags)
{
	if (shadow_conflicts != conflicts && (flags & (MEM_READ | MEM_PLAIN)) == MEM_READ)
		shadow_order_unseen = true;
}

/* Records an access of one word. Returns true when mem_perform must handle the access: some of the bytes are shared (then nothing was
   recorded), or the program must not use them (blocks.h, dead_stack.h). */
static __attribute__((noinline)) bool note_word(uint64_t addr, unsigned bytes, unsigned how)
{
	bool write = how & MEM_WRITE, fresh = false, odd = false;
	uint32_t leaf = table_top[addr >> LEAF_BITS];
	uint64_t *r = table_record(leaf, addr), word = addr & ~UINT64_C(7);
	if (!*r) { /* words of simul's own memory never have a record */
		if (guard_owns(addr))
			return hits_simul(addr, write);
		leaf = table_leaf(addr);
		if (!leaf)
			return false;
		r = table_record(leaf, addr);
		fresh = true;
	}
	if (heap_owns((const void *)addr)) {
		unsigned live = table_marked(leaf, addr) ? block_bytes(word) : 0xff;
		odd = bytes & ~live;
		bytes &= live;
	} else if (table_maps[leaf].stacks) {
		odd = dead_stack_suspect(addr);
	}
	if ((shared_bytes(*r) & bytes) || !bytes)
		return true;
	if (fresh)
		table_set(table_maps[leaf].touched, addr);
	if (fresh && changes_any)
		changes_put(r, word);
	else if (how & MEM_ZERO && all_zero(word, bytes))
		write = false; /* a store that changes nothing has the effect of a read */
	uint32_t conflicts = shadow_conflicts;
	if (*r & READERS ? !write && !interrupt_any && read_too(r, bytes)
			 : !(*r & LISTED) && update(r, word, bytes, write)) {
		note_order(conflicts, how);
		return odd;
	}
	struct past p = { .thread = now.thread, .epoch = now.epoch, .bytes = (uint8_t)bytes,
		.flags = write ? PAST_WRITE : PAST_READ };
	struct conflict_place at = { .word = word };
	if (!(*r & LISTED) || !history_has(&shadow_history, (uint32_t)*r, &p))
		shadow_list_add(r, &at, &p, now.handlers, now.keep);
	note_order(conflicts, how);
	return odd;
}

/* Returns whether the record holds this access of the running thread in this epoch already. */
static inline bool is_recorded(uint64_t x, unsigned bytes, bool write)
{
	if (((x ^ now.write_key) & WRITE_KEY) == 0 && (bytes & ~(unsigned)x) == 0)
		return true;
	return !write && ((x ^ now.read_key) & READ_KEY) == 0 && ((bytes << READ_SHIFT) & ~(unsigned)x) == 0;
}

/* Records an access of one word; see note_word. */
static inline bool note_access(uint64_t addr, unsigned bytes, unsigned how)
{
	return !is_recorded(*table_record(table_top[addr >> LEAF_BITS], addr), bytes, how & MEM_WRITE) && note_word(addr, bytes, how);
}

/* ---- ranges ---- */

/* Returns whether a byte of [addr, end), which lies in one page, is shared. */
static bool any_shared(uint64_t addr, uint64_t end)
{
	uint32_t leaf = table_top[addr >> LEAF_BITS];
	if (!leaf || !table_in(table_maps[leaf].shared, addr))
		return false;
	for (uint64_t word = addr & ~UINT64_C(7); word < end; word += 8)
		if (shared_bytes(*table_record(leaf, word)) & bytes_in(word, addr, end))
			return true;
	return false;
}

/* Returns whether [addr, end), which lies in one page, has a word that is not completely in a live block. */
static bool any_marked(uint64_t addr, uint64_t end)
{
	uint32_t leaf = table_top[addr >> LEAF_BITS];
	if (!leaf || !heap_owns((const void *)addr))
		return false;
	for (uint64_t at = addr & ~UINT64_C(511); at < end; at += 512) {
		uint64_t marks = *table_mark(leaf, at);
		if (at < addr)
			marks &= ~UINT64_C(0) << (addr - at) / 8;
		if (end - at < 512)
			marks &= ~(~UINT64_C(1) << (end - 1 - at) / 8);
		if (marks)
			return true;
	}
	return false;
}

/* Records an access of a range word by word; see note_word. */
static bool note_words(uint64_t addr, uint64_t end, unsigned how)
{
	bool odd = false;
	for (uint64_t word = addr & ~UINT64_C(7); word < end; word += 8)
		odd |= note_access(word, bytes_in(word, addr, end), how);
	return odd;
}

/* Records the free of a block, which counts as a write of those words that some thread has accessed. */
static void note_free(uint64_t addr, uint64_t end)
{
	uint32_t leaf = table_top[addr >> LEAF_BITS];
	if (!leaf || !table_in(table_maps[leaf].touched, addr))
		return;
	for (uint64_t word = addr & ~UINT64_C(7); word < end; word += 8) {
		uint64_t x = *table_record(leaf, word);
		if (x && !is_recorded(x, bytes_in(word, addr, end), true))
			note_word(word, bytes_in(word, addr, end), MEM_WRITE);
	}
}

/* Records an access of [addr, end), which lies in one page and has no shared bytes. Returns true when the program must not use all of it. */
static bool note_page(uint64_t addr, uint64_t end, bool write)
{
	unsigned how = write ? MEM_WRITE : 0;
	if (any_marked(addr, end))
		return note_words(addr, end, how);
	uint64_t word = addr & ~UINT64_C(7), mine = part(0xff, now.epoch, now.thread, write);
	note_access(word, bytes_in(word, addr, end), how);
	word += 8;
	/* the first word's note has made the leaf and marked the page as touched */
	uint64_t *r = table_record(table_top[addr >> LEAF_BITS], word);
	for (; word + 8 <= end; word += 8, r++) {
		if (is_recorded(*r, 0xff, write))
			continue;
		if (*r || changes_any || now.write_key == NO_KEY || !table_top[addr >> LEAF_BITS])
			note_word(word, 0xff, how);
		else
			*r = mine;
	}
	if (word < end)
		note_access(word, bytes_in(word, addr, end), how);
	return false;
}

/* Records an access of more than one word page by page. A page with shared bytes becomes one event as a whole, and the event records the
   access. */
static __attribute__((noinline)) bool note_range(uint64_t addr, uint64_t end, unsigned flags)
{
	bool visible = false;
	uint32_t conflicts = shadow_conflicts;
	for (uint64_t at = addr, to; at < end; at = to) {
		to = (at | (flags & MEM_FREE && !table_top[at >> LEAF_BITS] ? LEAF_BYTES - 1 : MEMORY_PAGE - 1)) + 1;
		to = to < end ? to : end;
		if (guard_owns(at))
			visible |= hits_simul(at, flags & MEM_WRITE);
		else if (any_shared(at, to))
			visible = true;
		else if (flags & MEM_FREE)
			note_free(at, to);
		else
			visible |= note_page(at, to, flags & MEM_WRITE);
	}
	note_order(conflicts, flags);
	if (flags & MEM_CHANGE)
		changes_add(addr, end, now.thread, now.epoch);
	return visible;
}

/* ---- the accesses ---- */

/* Fills in `now` for the running thread. */
static __attribute__((noinline)) void look_who_runs(void)
{
	now.fiber = fiber_cur;
	now.events = ctl_trace.n;
	now.thread = fiber_cur->id;
	now.epoch = hb_epoch(ctl_hb, now.thread);
	now.joins = now.joined = 0;
	now.handlers = interrupt_of(now.thread);
	now.keep = now.handlers ? interrupt_since(now.handlers) : 0;
	bool fit = fits(now.thread, now.epoch);
	now.write_key = fit ? part(0, now.epoch, now.thread, true) : NO_KEY;
	now.read_key = fit ? part(0, now.epoch, now.thread, false) : NO_KEY;
}

/* Records an access of memory of which some may have other keys. Whether a store of 0 changes something cannot be seen at the key. */
static __attribute__((noinline)) bool note_aliased(uint64_t addr, uint64_t end, unsigned flags)
{
	bool visible = false;
	for (uint64_t key, to; addr < end; addr = to) {
		to = alias_run(addr, end, &key);
		visible |= note_range(key, key + (to - addr), flags & ~(unsigned)MEM_ZERO);
	}
	return visible;
}

bool mem_note(uint64_t addr, uint64_t size, unsigned flags)
{
	if (!mem_on || ctl_inside || ctl_state != CTL_ON)
		return child_reads_on && (flags & MEM_READ) && child_reads_note(addr, size);
	if (__builtin_expect(window_on, 0)) {
		if (window_waits(addr, size))
			mem_budget = 0;
		if (mem_coarse)
			return --mem_budget <= 0 || block_lacks(addr, size);
	}
	bool watched = false;
	if (now.events != ctl_trace.n || now.fiber != fiber_cur) {
		look_who_runs();
		if (footprint_open) {
			watched = footprint_access(addr, size, flags, (uintptr_t)__builtin_frame_address(0));
			now.fiber = NULL; /* the next access comes here, too */
		}
	}
	bool write = flags & MEM_WRITE;
	if (write && !mem_on_own_stack(addr)) {
		mem_writes++;
		mem_local_writes += mem_is_local(addr);
	}
	bool probe = --mem_budget <= 0 || watched || (mem_dirty && mem_drains(flags));
	/* the access will fail, or it is a fence, which accesses nothing */
	if ((size - 1) >> ADDRESS_BITS || addr >> ADDRESS_BITS || (addr + size) >> ADDRESS_BITS)
		return (flags & MEM_FENCE) && (mem_dirty || (flags & (MEM_ACQUIRE | MEM_RELEASE | MEM_READ | MEM_PLAIN)));
	if (alias_touches(addr, size))
		return note_aliased(addr, addr + size, flags) || probe;
	if ((addr & 7) + size <= 8)
		return note_access(addr, ((1u << size) - 1) << (addr & 7), flags) || probe;
	return note_range(addr, addr + size, flags) || probe;
}

void shadow_fence(void)
{
	now.fiber = NULL;
	now.handlers = NULL;
}

/* ---- new memory ---- */

void shadow_forget(uint64_t addr, uint64_t size)
{
	uint64_t end = addr + size;
	if (addr >> ADDRESS_BITS || end >> ADDRESS_BITS || end < addr)
		return;
	if (changes_any)
		changes_forget(addr, end);
	for (uint64_t at = addr, to; at < end; at = to) {
		uint32_t leaf = table_top[at >> LEAF_BITS];
		to = (at | (leaf ? MEMORY_PAGE - 1 : LEAF_BYTES - 1)) + 1;
		to = to < end ? to : end;
		if (!leaf || !table_in(table_maps[leaf].touched, at))
			continue;
		for (uint64_t word = at & ~UINT64_C(7); word < to; word += 8)
			if (*table_record(leaf, word))
				shadow_list_forget(table_record(leaf, word), bytes_in(word, at, to));
	}
}
