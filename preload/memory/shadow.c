/*
 * The shadow; see shadow.h.
 *
 * For each word (8 bytes) of the program's memory there is a record of 8 bytes (shadow_table.h).
 * Nearly all words are touched by one thread at a time, or written by one and then read by another. That fits into the
 * record itself:
 *
 *	bits  0- 7  bytes written    16-30  in which epoch    46-53  by whom
 *	bits  8-15  bytes read       31-45  in which epoch    54-61  by whom
 *
 * (epochs: sched/hb.h). All zero: never touched. Bytes that were only read, by several threads, are the other common thing: then
 * READERS is set, bits 0-31 are a set of readers (sched/readers.h), and bits 32-39 the bytes. What does not fit is a list of accesses
 * (sched/history.h), exact as well: LISTED is set, bits 0-31 are the list's head, and bits 32-39 the bytes that are shared,
 * accesses of which are events.
 *
 * mem_note runs in the middle of the program's code, where nothing may be called and no vector register be used.
 */
#include "preload/memory/shadow.h"

#include <sys/auxv.h>

/* Found without the detour by the global offset table: this is the hottest code there is. */
#pragma GCC visibility push(hidden)
#include "preload/memory/blocks.h"
#include "preload/control/core.h"
#include "preload/control/ctl.h"
#include "preload/memory/dead_stack.h"
#include "preload/base/guard.h"
#include "preload/memory/heap.h"
#include "preload/memory/interrupt.h"
#include "preload/accesses/mem.h"
#include "preload/memory/data_races.h"
#include "preload/memory/shadow_table.h"
#include "sched/hb.h"
#include "sched/history.h"
#include "sched/memory.h"
#include "sched/readers.h"
#pragma GCC visibility pop
#include "preload/base/rules.h"

_Static_assert((int)PAST_READ == MEM_READ && (int)PAST_WRITE == MEM_WRITE && (int)PAST_ATOMIC == MEM_ATOMIC &&
	(int)PAST_PLAIN == MEM_PLAIN, "history.h");

#define MOST_PAST (1u << 26)
#define MOST_READERS (1u << 16)

#define WRITE_SHIFT 0
#define READ_SHIFT 8
#define WRITE_EPOCH 16
#define READ_EPOCH 31
#define WRITE_THREAD 46
#define READ_THREAD 54
#define EPOCHS (UINT64_C(1) << 15)
#define THREADS (UINT64_C(1) << 8)
#define LISTED (UINT64_C(1) << 62)
#define READERS (UINT64_C(1) << 63)
#define BYTES_SHIFT 32
#define KIND (UINT64_C(3) << 62)
#define WRITE_KEY (KIND | (EPOCHS - 1) << WRITE_EPOCH | (THREADS - 1) << WRITE_THREAD)
#define READ_KEY (KIND | (EPOCHS - 1) << READ_EPOCH | (THREADS - 1) << READ_THREAD)
#define WRITE_PART (WRITE_KEY & ~KIND)
#define READ_PART (READ_KEY & ~KIND)
#define NO_KEY KIND /* no record has it */

int64_t mem_budget = 1;
uint64_t mem_writes;

static struct history history;
static struct readers readers;
static uint32_t applied; /* memory_table.changes that shadow_apply has seen to */

/* The running thread, as long as no event was performed and no other thread runs. */
static struct {
	const struct fiber *fiber;
	uint32_t events, epoch;
	thread_id thread;
	uint64_t write_key, read_key; /* what a record of its own accesses in this epoch has there */
	uint32_t joins, joined; /* the set of readers that it joined last, and what that became */
	const struct interrupt *handlers; /* that run on it; NULL: none does */
	uint32_t keep; /* with handlers: what the thread did from this epoch on must not be forgotten */
} now;

/* ---- start ---- */

void shadow_init(void)
{
	const uint64_t past_bytes = (uint64_t)MOST_PAST * sizeof *history.at;
	char *p = table_init(past_bytes + MOST_READERS * sizeof *readers.at);
	history.at = (struct past *)p;
	history.cap = MOST_PAST;
	readers.at = (struct reader *)(p + past_bytes);
	readers.cap = MOST_READERS;
}

bool shadow_part(unsigned i, uint64_t *lo, uint64_t *bytes)
{
	switch (i) {
	case 0:
		*lo = (uintptr_t)history.at;
		*bytes = (history.used + 1) * sizeof *history.at;
		return true;
	case 1:
		*lo = (uintptr_t)readers.at;
		*bytes = (readers.used + 1) * sizeof *readers.at;
		return true;
	default:
		return table_part(i - 2, lo, bytes);
	}
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
		if (f->own_hi && f->own_hi >> ADDRESS_BITS == 0) {
			table_leaf(f->own_hi - 1);
			dead_stack_of(f);
		}
}

/* ---- records ---- */

static unsigned shared_bytes(uint64_t x)
{
	return x & LISTED ? (x >> BYTES_SHIFT) & 0xff : 0;
}

static unsigned field(uint64_t x, unsigned shift, uint64_t n)
{
	return (unsigned)(x >> shift & (n - 1));
}

static uint64_t part(unsigned bytes, uint32_t epoch, thread_id t, bool write)
{
	return write ? (uint64_t)bytes << WRITE_SHIFT | (uint64_t)epoch << WRITE_EPOCH | (uint64_t)t << WRITE_THREAD
		     : (uint64_t)bytes << READ_SHIFT | (uint64_t)epoch << READ_EPOCH | (uint64_t)t << READ_THREAD;
}

static bool fits(thread_id t, uint32_t epoch)
{
	return t < THREADS && epoch < EPOCHS;
}

static struct past past_write(uint64_t x)
{
	return (struct past){ .bytes = (uint8_t)field(x, WRITE_SHIFT, 256), .epoch = field(x, WRITE_EPOCH, EPOCHS),
		.thread = (thread_id)field(x, WRITE_THREAD, THREADS), .flags = PAST_WRITE };
}

static struct past past_read(uint64_t x)
{
	return (struct past){ .bytes = (uint8_t)field(x, READ_SHIFT, 256), .epoch = field(x, READ_EPOCH, EPOCHS),
		.thread = (thread_id)field(x, READ_THREAD, THREADS), .flags = PAST_READ };
}

static bool before(const struct past *p, thread_id t)
{
	if (!p->bytes || p->thread == t)
		return true;
	uint32_t seen = hb_seen(ctl_hb, t, p->thread);
	return seen >= p->epoch && !(interrupt_any && interrupt_hides(p->thread, p->epoch, seen));
}

/* ---- what follows from a conflict ---- */

static struct memory_table *table(void)
{
	return ctl_segment(ctl_session->layout.memory_off);
}

/* The search starts again with them as events; the running execution goes on as it is. A forced schedule was made with the
   table as it is. */
static void learn(uint64_t word, unsigned bytes)
{
	if (ctl_session->config.mode != MODE_EXPLORE)
		return;
	for (unsigned i = 0; i < 8; i++)
		if (bytes >> i & 1)
			memory_discover(table(), word + i, 1);
}

struct conflict_place {
	uint64_t word;
	unsigned shared;
	uint64_t addr, size; /* of the whole access, for an event */
};

static void conflict(void *ctx, const struct past *first, const struct past *second, unsigned bytes)
{
	const struct conflict_place *at = ctx;
	if (bytes & ~at->shared)
		learn(at->word, bytes & ~at->shared);
	if ((first->flags & second->flags & PAST_EVENT) && !(first->flags & second->flags & PAST_ATOMIC))
		races_report(first, second, at->addr, at->size);
}

/* Is p an access that a handler of its own thread must not replace? */
static bool kept(const struct past *p)
{
	return p->bytes && p->thread == now.thread && p->epoch >= now.keep && p->epoch != now.epoch;
}

/* ---- lists ---- */

static void never(void *ctx, const struct past *first, const struct past *second, unsigned bytes)
{
}

/* The list of a record that is one already or becomes one, without the running access. */
static uint32_t as_list(uint64_t x)
{
	uint32_t head = 0;
	if (x & LISTED)
		return (uint32_t)x;
	for (uint32_t i = x & READERS ? (uint32_t)x : 0; i; i = readers.at[i].rest) {
		struct past r = { .thread = readers.at[i].thread, .epoch = readers.at[i].epoch, .flags = PAST_READ,
			.bytes = (uint8_t)(x >> BYTES_SHIFT) };
		if (!history_add(&history, &head, ctl_hb, &r, 0, never, NULL))
			table_too_small();
	}
	if (x & READERS)
		return head;
	struct past w = past_write(x), r = past_read(x);
	if ((w.bytes && !history_add(&history, &head, ctl_hb, &w, 0, never, NULL)) ||
		(r.bytes && !history_add(&history, &head, ctl_hb, &r, 0, never, NULL)))
		table_too_small();
	return head;
}

/* A list that fits into a record becomes one again; 0 when it does not. */
static uint64_t as_record(uint32_t head)
{
	uint64_t x = 0;
	bool have[2] = { false, false };
	for (uint32_t i = head, n = 0; i; i = history.at[i].next, n++) {
		const struct past *p = &history.at[i];
		bool write = p->flags & PAST_WRITE;
		if (n == 2 || have[write] || (p->flags & PAST_EVENT) || !fits(p->thread, p->epoch))
			return 0;
		have[write] = true;
		x |= part(p->bytes, p->epoch, p->thread, write);
	}
	return x;
}

/* Handlers make access p: could they also have come before what their thread did to the same bytes? */
static void learn_interrupted(uint32_t head, const struct past *p, const struct interrupt *handlers, const struct conflict_place *at)
{
	for (uint32_t i = head; i; i = history.at[i].next) {
		const struct past *q = &history.at[i];
		unsigned both = q->bytes & p->bytes;
		if (both && ((q->flags | p->flags) & PAST_WRITE) && q->thread == p->thread &&
			interrupt_precedes(handlers, q->thread, q->epoch, at->word))
			learn(at->word, both & ~at->shared);
	}
}

static void add_to_list(uint64_t *r, struct conflict_place *at, const struct past *p)
{
	history.hides = interrupt_any ? interrupt_hides : NULL;
	uint32_t head = as_list(*r);
	at->shared = shared_bytes(*r);
	const struct interrupt *handlers = p->flags & PAST_EVENT ? interrupt_of(p->thread) : now.handlers;
	if (handlers)
		learn_interrupted(head, p, handlers, at);
	if (!history_add(&history, &head, ctl_hb, p, p->flags & PAST_EVENT ? 0 : now.keep, conflict, at))
		table_too_small();
	uint64_t x = at->shared ? 0 : as_record(head);
	if (x)
		history_forget(&history, &head, 0xff);
	*r = x ? x : LISTED | (uint64_t)at->shared << BYTES_SHIFT | head;
}

/* ---- words that several threads read ---- */

/* The running thread reads bytes that `set` has read, and nobody has written. false: that has to become a list. */
static bool join(uint64_t *r, uint32_t set, unsigned bytes)
{
	if (set != now.joins || !now.joined) {
		now.joined = readers_add(&readers, set, ctl_hb, now.thread, now.epoch);
		now.joins = set;
	}
	if (!now.joined)
		return false;
	*r = READERS | (uint64_t)bytes << BYTES_SHIFT | now.joined;
	return true;
}

/* The record is one of readers; false: that has to become a list. */
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

/* The record says that one thread has read the bytes, and no other. */
static bool read_by_two(uint64_t *r, const struct past *p)
{
	uint32_t set = readers_add(&readers, 0, ctl_hb, p->thread, p->epoch);
	return set && join(r, set, p->bytes);
}

/* ---- one word ---- */

/* Takes an access down that is no event. The record is a compact one; false: what comes of it does not fit. */
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
			learn(word, w.bytes & bytes);
		*r = (x & (WRITE_PART | 0xff << WRITE_SHIFT)) | new | (mine ? rd.bytes << READ_SHIFT : 0);
		return true;
	}
	bool mine = w.thread == t && w.epoch == now.epoch;
	if (w.bytes && !mine && (!w_before || (w.bytes & ~bytes)))
		return false;
	if (!r_before && (rd.bytes & bytes))
		return false;
	if (rd.bytes & ~bytes) /* the write stands for reads of the same bytes */
		new |= x & ~((uint64_t)bytes << READ_SHIFT) & (READ_PART | 0xff << READ_SHIFT);
	*r = new | (mine ? w.bytes << WRITE_SHIFT : 0);
	return true;
}

/* The program accesses simul's memory. Reads there say nothing. */
static bool hit(uint64_t addr, bool write)
{
	if (write)
		guard_hit = addr;
	return write;
}

/* Bytes of the word at `word` are all 0. It was accessed before, so it can be read. */
static bool all_zero(uint64_t word, unsigned bytes)
{
	const volatile uint8_t *p = (const volatile uint8_t *)word;
	for (unsigned i = 0; i < 8; i++)
		if ((bytes >> i & 1) && p[i])
			return false;
	return true;
}

/* true: some of the bytes are shared, and nothing was taken down; or they are not the program's to use (blocks.h). */
static __attribute__((noinline)) bool note_word(uint64_t addr, unsigned bytes, unsigned how)
{
	bool write = how & MEM_WRITE, fresh = false, odd = false;
	uint32_t leaf = table_top[addr >> LEAF_BITS];
	uint64_t *r = table_record(leaf, addr), word = addr & ~UINT64_C(7);
	if (!*r) { /* as all words of simul's memory are */
		if (guard_owns(addr))
			return hit(addr, write);
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
	else if (how & MEM_ZERO && all_zero(word, bytes))
		write = false; /* as long as all that is written there is what is there, nobody can tell it from a read */
	if (*r & READERS ? !write && !interrupt_any && read_too(r, bytes) : !(*r & LISTED) && update(r, word, bytes, write))
		return odd;
	struct past p = { .thread = now.thread, .epoch = now.epoch, .bytes = (uint8_t)bytes,
		.flags = write ? PAST_WRITE : PAST_READ };
	struct conflict_place at = { .word = word };
	if (!(*r & LISTED) || !history_has(&history, (uint32_t)*r, &p))
		add_to_list(r, &at, &p);
	return odd;
}

/* Was this taken down already? */
static inline bool known(uint64_t x, unsigned bytes, bool write)
{
	if (((x ^ now.write_key) & WRITE_KEY) == 0 && (bytes & ~(unsigned)x) == 0)
		return true;
	return !write && ((x ^ now.read_key) & READ_KEY) == 0 && ((bytes << READ_SHIFT) & ~(unsigned)x) == 0;
}

static inline bool note(uint64_t addr, unsigned bytes, unsigned how)
{
	return !known(*table_record(table_top[addr >> LEAF_BITS], addr), bytes, how & MEM_WRITE) && note_word(addr, bytes, how);
}

/* ---- ranges ---- */

/* Bytes of the word at `word` that lie in [addr, end). */
static unsigned bytes_in(uint64_t word, uint64_t addr, uint64_t end)
{
	unsigned bytes = 0xff;
	if (word < addr)
		bytes = bytes << (addr - word) & 0xff;
	if (word + 8 > end)
		bytes &= 0xffu >> (word + 8 - end);
	return bytes;
}

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

/* Has [addr, end), which lies in one page, a word that does not wholly belong to a live block? */
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

/* Each word by itself. */
static bool note_words(uint64_t addr, uint64_t end, unsigned how)
{
	bool odd = false;
	for (uint64_t word = addr & ~UINT64_C(7); word < end; word += 8)
		odd |= note(word, bytes_in(word, addr, end), how);
	return odd;
}

/* A block is given back: a write of what somebody has touched. */
static void note_free(uint64_t addr, uint64_t end)
{
	uint32_t leaf = table_top[addr >> LEAF_BITS];
	if (!leaf || !table_in(table_maps[leaf].touched, addr))
		return;
	for (uint64_t word = addr & ~UINT64_C(7); word < end; word += 8) {
		uint64_t x = *table_record(leaf, word);
		if (x && !known(x, bytes_in(word, addr, end), true))
			note_word(word, bytes_in(word, addr, end), MEM_WRITE);
	}
}

/* [addr, end) lies in one page and has no shared bytes. true: it is not the program's to use. */
static bool note_page(uint64_t addr, uint64_t end, bool write)
{
	unsigned how = write ? MEM_WRITE : 0;
	if (any_marked(addr, end))
		return note_words(addr, end, how);
	uint64_t word = addr & ~UINT64_C(7), mine = part(0xff, now.epoch, now.thread, write);
	note(word, bytes_in(word, addr, end), how);
	word += 8;
	uint64_t *r = table_record(table_top[addr >> LEAF_BITS], word); /* there by now; and the page is known as touched */
	for (; word + 8 <= end; word += 8, r++) {
		if (known(*r, 0xff, write))
			continue;
		if (*r || now.write_key == NO_KEY || !table_top[addr >> LEAF_BITS])
			note_word(word, 0xff, how);
		else
			*r = mine;
	}
	if (word < end)
		note(word, bytes_in(word, addr, end), how);
	return false;
}

/* Page by page: one with shared bytes becomes an event as a whole, and is taken down then. */
static __attribute__((noinline)) bool note_range(uint64_t addr, uint64_t end, unsigned flags)
{
	bool visible = false;
	for (uint64_t at = addr, to; at < end; at = to) {
		to = (at | (MEMORY_PAGE - 1)) + 1;
		to = to < end ? to : end;
		if (guard_owns(at))
			visible |= hit(at, flags & MEM_WRITE);
		else if (any_shared(at, to))
			visible = true;
		else if (flags & MEM_FREE)
			note_free(at, to);
		else
			visible |= note_page(at, to, flags & MEM_WRITE);
	}
	return visible;
}

/* ---- the accesses ---- */

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

bool mem_note(uint64_t addr, uint64_t size, unsigned flags)
{
	if (!mem_on || ctl_inside || ctl_state != CTL_ON)
		return false;
	if (now.events != ctl_trace.n || now.fiber != fiber_cur)
		look_who_runs();
	bool write = flags & MEM_WRITE;
	mem_writes += write && addr - mem_stack_lo >= mem_stack_hi - mem_stack_lo;
	bool probe = --mem_budget <= 0 || (mem_dirty && mem_drains(flags));
	if ((size - 1) >> ADDRESS_BITS || addr >> ADDRESS_BITS || (addr + size) >> ADDRESS_BITS) /* it will fail; or touches nothing */
		return (flags & MEM_FENCE) && (mem_dirty || (flags & (MEM_ACQUIRE | MEM_RELEASE)));
	if ((addr & 7) + size <= 8)
		return note(addr, ((1u << size) - 1) << (addr & 7), flags) || probe;
	return note_range(addr, addr + size, flags) || probe;
}

void shadow_fence(void)
{
	now.fiber = NULL;
	now.handlers = NULL;
}

void shadow_event(thread_id t, uint64_t addr, uint64_t size, unsigned flags, uint64_t pc)
{
	struct past p = { .thread = t, .epoch = hb_epoch(ctl_hb, t), .pc = pc,
		.flags = (uint8_t)((flags & (MEM_READ | MEM_WRITE | MEM_ATOMIC | MEM_PLAIN)) | PAST_EVENT) };
	for (uint64_t word = addr & ~UINT64_C(7); word < addr + size; word += 8) {
		struct conflict_place at = { .word = word, .addr = addr, .size = size };
		uint32_t leaf = word >> ADDRESS_BITS ? 0 : table_leaf(word);
		if (!leaf)
			continue;
		p.bytes = (uint8_t)bytes_in(word, addr, addr + size);
		table_set(table_maps[leaf].touched, word);
		add_to_list(table_record(leaf, word), &at, &p);
	}
}

/* ---- shared bytes ---- */

static void mark(uint64_t word, unsigned bytes)
{
	uint32_t leaf = table_leaf(word);
	if (!leaf || !bytes)
		return;
	uint64_t *r = table_record(leaf, word);
	unsigned all = bytes | shared_bytes(*r);
	*r = LISTED | (uint64_t)all << BYTES_SHIFT | as_list(*r);
	table_set(table_maps[leaf].shared, word);
	table_set(table_maps[leaf].touched, word);
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
	applied = all ? t->changes : 0; /* what is only learnt yet will be shared without another change */
}

bool shadow_share(uint64_t addr, uint64_t size)
{
	if (ctl_session->config.mode != MODE_EXPLORE || !memory_share(table(), addr, size))
		return false;
	for (uint64_t word = addr & ~UINT64_C(7); word < addr + size; word += 8)
		mark(word, bytes_in(word, addr, addr + size));
	return true;
}

/* Bytes of the word that another thread than t wrote last. */
static unsigned written_by_others(uint64_t x, thread_id t)
{
	unsigned bytes = 0;
	if (x & READERS)
		return 0;
	if (!(x & LISTED)) {
		struct past w = past_write(x);
		return w.thread != t ? w.bytes : 0;
	}
	for (uint32_t i = (uint32_t)x; i; i = history.at[i].next)
		if ((history.at[i].flags & PAST_WRITE) && history.at[i].thread != t)
			bytes |= history.at[i].bytes;
	return bytes & ~shared_bytes(x);
}

void shadow_learn_foreign(thread_id t, uint64_t lo, uint64_t hi)
{
	for (uint64_t word = lo & ~UINT64_C(7); word < hi && !(word >> ADDRESS_BITS); word += 8) {
		uint32_t leaf = table_top[word >> LEAF_BITS];
		if (leaf)
			learn(word, written_by_others(*table_record(leaf, word), t));
	}
}

/* ---- new memory ---- */

static void forget_word(uint64_t *r, unsigned bytes)
{
	uint64_t x = *r;
	if (x & LISTED) {
		uint32_t head = (uint32_t)x;
		history_forget(&history, &head, bytes);
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

void shadow_forget(uint64_t addr, uint64_t size)
{
	uint64_t end = addr + size;
	if (addr >> ADDRESS_BITS || end >> ADDRESS_BITS || end < addr)
		return;
	for (uint64_t at = addr, to; at < end; at = to) {
		uint32_t leaf = table_top[at >> LEAF_BITS];
		to = (at | (leaf ? MEMORY_PAGE - 1 : LEAF_BYTES - 1)) + 1;
		to = to < end ? to : end;
		if (!leaf || !table_in(table_maps[leaf].touched, at))
			continue;
		for (uint64_t word = at & ~UINT64_C(7); word < to; word += 8)
			if (*table_record(leaf, word))
				forget_word(table_record(leaf, word), bytes_in(word, at, to));
	}
}
