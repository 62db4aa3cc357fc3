/* See child_reads.h. Children and their parent write to the table at the same time. */
#pragma GCC visibility push(hidden)
#include "preload/memory/child_reads.h"

#include "explore/explore.h"
#include "base/callers.h"
#include "base/table.h"
#include "preload/base/access.h"
#include "preload/base/guard.h"
#include "preload/base/running.h"
#include "preload/base/state.h"
#include "preload/memory/aliases.h"
#include "preload/memory/note.h"
#include "sched/memory.h"
#pragma GCC visibility pop
#include "preload/base/rules.h"

#define NONE TABLE_FULL

bool child_reads_on;

static uint32_t latest; /* in a child: the table's page of the latest read */

/* The thread that forked while others lived. */
static thread_id forker = NO_THREAD;
static uint64_t forked_at; /* return address of the latest fork */
static bool forkers; /* several threads did */

void child_reads_begin(void)
{
	if (ctl_session->config.mode != MODE_EXPLORE || !ctl_past_checkpoint)
		return;
	child_reads_on = true;
	mem_dirty = false;
	mem_on = true;
}

static struct session_child_reads *table(void)
{
	return &ctl_session->child_reads;
}

/* Returns whether this is the base of a page, which becomes `base` if it was none yet. */
static bool has_base(uint64_t *of, uint64_t base)
{
	const int order = __ATOMIC_RELAXED;
	uint64_t found = 0;
	return *of == base || __atomic_compare_exchange_n(of, &found, base, false, order, order) || found == base;
}

/* Returns the number of the table's page with this base, and adds it when it is new. NONE: the table is full. */
static uint32_t page_of(struct session_child_reads *t, uint64_t base)
{
	uint32_t at = TABLE_SLOT_WITHIN(i, base / MEMORY_PAGE, SESSION_CHILD_PAGES, SESSION_CHILD_PAGES,
		has_base(&t->page[i].base, base));
	if (at == TABLE_FULL)
		t->full = 1;
	return at;
}

/* Sets these bits of a word of the table. */
static void set(struct session_child_reads *t, uint64_t *word, uint64_t bits)
{
	if ((*word & bits) != bits && (__atomic_fetch_or(word, bits, __ATOMIC_RELAXED) & bits) != bits)
		__atomic_add_fetch(&t->changes, 1, __ATOMIC_RELAXED);
}

bool child_reads_note(uint64_t addr, uint64_t size)
{
	struct session_child_reads *t = table();
	uint64_t end = addr + size;
	if (end < addr || size >> 40 || t->full)
		return false;
	for (uint64_t at = addr, to; at < end; at = to) {
		uint64_t base = at & -MEMORY_PAGE, word = at / 64;
		to = (word + 1) * 64;
		to = to < end ? to : end;
		if (t->page[latest].base != base) {
			uint32_t page = guard_owns(at) ? NONE : page_of(t, base);
			if (page == NONE)
				return false;
			latest = page;
		}
		set(t, &t->page[latest].bytes[word % 64], ~UINT64_C(0) >> (64 - (to - at)) << at % 64);
	}
	return false;
}

void child_reads_object(const volatile void *addr)
{
	struct session_child_reads *t = table();
	if (!child_reads_on)
		return;
	for (unsigned i = 0; i < SESSION_CHILD_OBJECTS; i++) {
		uint64_t found = 0;
		if (t->object[i] == (uintptr_t)addr)
			return;
		if (__atomic_compare_exchange_n(&t->object[i], &found, (uintptr_t)addr, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			__atomic_add_fetch(&t->changes, 1, __ATOMIC_RELAXED);
			return;
		}
		if (found == (uintptr_t)addr)
			return;
	}
	t->full = 1;
}

unsigned child_reads_kind(void)
{
	return ctl_session->ctl.discoveries.applied_fork_sees ? EV_FORK : EV_FD_OTHER;
}

/* Other threads change what a child looks at. The searches with bounds do not know EV_FORK, so the verdict says that the order was not explored. */
static void order_forks(void)
{
	const struct session_config *c = &ctl_session->config;
	if (c->bound || c->strategy == STRATEGY_TRUST || c->strategy == STRATEGY_BPOR)
		callers_add(&ctl_session->ctl.facts.exception[EXCEPT_FORK], forked_at);
	else
		ctl_session->ctl.discoveries.fork_sees = 1;
}

/* Counts the fork as a read of [addr, addr + size). */
static void read_by_fork(uint64_t addr, uint64_t size)
{
	ctl_inside = 0; /* the program makes the access, not simul */
	mem_note(addr, size, MEM_READ | MEM_ATOMIC);
	ctl_inside = 1;
	if (memory_is_shared(ctl_segment(ctl_session->layout.memory_off), alias_key(addr), size))
		order_forks();
}

bool child_reads_forked(thread_id t, uint64_t pc)
{
	const struct session_child_reads *reads = table();
	if (!mem_on || !ctl_past_checkpoint || world_live_threads(ctl_world) < 2)
		return true;
	forkers |= forker != NO_THREAD && forker != t;
	forker = t;
	forked_at = pc;
	for (uint32_t i = 0; i < SESSION_CHILD_PAGES; i++)
		for (unsigned w = 0; reads->page[i].base && w < 64; w++)
			for (uint64_t bits = reads->page[i].bytes[w]; bits;) {
				unsigned lo = (unsigned)__builtin_ctzll(bits);
				uint64_t rest = ~(bits >> lo);
				unsigned n = rest ? (unsigned)__builtin_ctzll(rest) : 64;
				read_by_fork(reads->page[i].base + 64 * w + lo, n);
				bits &= n == 64 ? 0 : ~((~UINT64_C(0) >> (64 - n)) << lo);
			}
	return !reads->full;
}

/* Returns whether a thread has an event on one of the objects at addr while another thread may fork. */
static bool others_use(uint64_t addr)
{
	static const uint8_t kinds[] = { OBJ_MUTEX, OBJ_SPIN, OBJ_COND, OBJ_RWLOCK, OBJ_SEM, OBJ_BARRIER, OBJ_ONCE };
	for (unsigned k = 0; k < sizeof kinds; k++) {
		object_id o = world_find(ctl_world, kinds[k], alias_key(addr));
		for (uint32_t i = 0; o && i < ctl_trace.n; i++) {
			const struct event *e = &ctl_trace.event[i];
			if ((forkers || e->thread != forker) && (e->obj[0] == o || e->obj[1] == o))
				return true;
		}
	}
	return false;
}

void child_reads_over(void)
{
	const struct session_child_reads *t = table();
	if (forker == NO_THREAD || ctl_session->ctl.discoveries.fork_sees)
		return;
	for (unsigned i = 0; i < SESSION_CHILD_OBJECTS && t->object[i]; i++)
		if (others_use(t->object[i]))
			order_forks();
}
