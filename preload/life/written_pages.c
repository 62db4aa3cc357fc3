#include "preload/life/written_pages.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "preload/base/aside.h"
#include "preload/control/ctl.h"
#include "preload/control/thread_pointer.h"
#include "preload/memory/shadow.h"
#include "preload/base/sys.h"
#include "preload/base/rules.h"

#define MOST_BYTES (UINT64_C(16) << 30) /* limit on the memory that is examined; more would take too long */
#define AT_ONCE 4096u                   /* entries of pagemap that are read at a time */
#define MAX_HOLES 16

/* ---- reserved memory that was never used ---- */

struct hole {
	uint64_t lo, hi;
};

struct holes {
	unsigned n;
	struct hole at[MAX_HOLES];
};

static void add_hole(struct holes *h, uint64_t lo, uint64_t hi)
{
	unsigned i = h->n;
	lo = (lo + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	if (lo >= hi || h->n == MAX_HOLES)
		return;
	for (; i && h->at[i - 1].lo > lo; i--)
		h->at[i] = h->at[i - 1];
	h->at[i] = (struct hole){ lo, hi };
	h->n++;
}

/* Adds the gaps between those parts of the shadow that are in use. Part 5 and the following ones are its leaves, which are contiguous. */
static void shadow_holes(struct holes *h)
{
	struct hole used[6];
	uint64_t lo, bytes, at, end;
	unsigned n = 0;
	for (unsigned i = 0; shadow_part(i, &lo, &bytes); i++) {
		unsigned k = n < 6 ? n++ : 5;
		if (i >= 6)
			used[5].hi = lo + bytes;
		else
			used[k] = (struct hole){ lo, lo + bytes };
	}
	shadow_region(&at, &end);
	for (unsigned done = 0; done < n; done++) {
		unsigned first = n;
		for (unsigned i = 0; i < n; i++)
			if (used[i].lo >= at && (first == n || used[i].lo < used[first].lo))
				first = i;
		if (first == n)
			break;
		add_hole(h, at, used[first].lo);
		at = used[first].hi;
	}
	add_hole(h, at, end);
}

static uint64_t arena_used; /* bytes of the private memory that were in use at written_begin */

static const struct arena *arena(void)
{
	return (const struct arena *)ctl_arena_start();
}

void written_begin(void)
{
	arena_used = arena()->used;
}

void written_arena(uint64_t *lo, uint64_t *hi)
{
	*lo = ((uintptr_t)arena() + arena_used + PAGE_BYTES - 1) & -(uint64_t)PAGE_BYTES;
	*hi = (uintptr_t)arena() + arena()->used;
	*hi = *hi < *lo ? *lo : *hi;
}

static void find_holes(struct holes *h)
{
	h->n = 0;
	uint64_t lo, hi;
	thread_pointer_memory(&lo, &hi);
	add_hole(h, lo, hi);
	add_hole(h, aside_lo, aside_hi);
	add_hole(h, (uintptr_t)arena() + arena_used, (uintptr_t)arena() + arena()->size);
	shadow_holes(h);
}

/* ---- looking ---- */

struct look {
	const struct written_visitor *visitor;
	struct holes holes;
	int pagemap;
	uint64_t bytes, layout;
	struct mapping last; /* mappings that form one piece, for `layout`; hi 0: none */
	struct maps maps;
	uint64_t entry[AT_ONCE];
};

/* Examines the pages of lo .. hi. Returns false if the kernel does not describe all of them. */
static bool look_pages(struct look *l, uint64_t lo, uint64_t hi)
{
	for (uint64_t at = lo; at < hi;) {
		uint64_t want = (hi - at) / PAGE_BYTES < AT_ONCE ? (hi - at) / PAGE_BYTES : AT_ONCE;
		uint64_t n = pages_read(l->pagemap, at, want, l->entry);
		for (uint64_t i = 0; i < n; i++) {
			uint64_t e = l->entry[i];
			bool mine = (e & PAGE_PRESENT) && ((e & PAGE_EXCLUSIVE) || l->visitor->others) && !(e & PAGE_FILE);
			if (mine || (e & PAGE_SWAPPED))
				l->visitor->page(l->visitor->ctx, at + i * PAGE_BYTES);
		}
		if (!n)
			return false;
		at += n * PAGE_BYTES;
	}
	return true;
}

/* Examines a mapping except for the holes. Returns false if that fails, or there is too much memory. */
static bool look_mapping(struct look *l, const struct mapping *m)
{
	uint64_t at = m->lo;
	for (unsigned i = 0; at < m->hi; i++) {
		uint64_t to = i < l->holes.n ? l->holes.at[i].lo : m->hi;
		to = to < m->hi ? to : m->hi;
		if (to > at) {
			l->bytes += to - at;
			if (l->bytes > MOST_BYTES || !look_pages(l, at, to))
				return false;
		}
		if (i >= l->holes.n)
			break;
		at = l->holes.at[i].hi > at ? l->holes.at[i].hi : at;
	}
	return true;
}

static unsigned rights(const struct mapping *m)
{
	return m->readable | m->writable << 1 | m->executable << 2 | m->shared << 3;
}

/* Returns whether m continues the mapping before it. The kernel splits and joins such mappings when their rights or addresses change for a time,
   and for advice. */
static bool goes_on(const struct mapping *last, const struct mapping *m)
{
	return last->hi == m->lo && rights(last) == rights(m) && !m->stack && !last->stack && !m->shared && last->dev == m->dev &&
	       last->ino == m->ino && (!m->ino || last->offset + (last->hi - last->lo) == m->offset) && !strcmp(last->name, m->name);
}

static void end_piece(struct look *l)
{
	const struct mapping *m = &l->last;
	if (m->hi)
		l->layout = hash_word(hash_word(hash_word(l->layout, m->stack ? 0 : m->lo), m->hi), rights(m));
}

static void add_to_layout(struct look *l, const struct mapping *m)
{
	if (goes_on(&l->last, m)) {
		l->last.hi = m->hi;
		return;
	}
	end_piece(l);
	l->last = *m;
}

bool written_look(const struct written_visitor *t, uint64_t *layout)
{
	struct look l;
	struct mapping m;
	bool ok;
	l.visitor = t;
	l.bytes = 0;
	l.layout = HASH_START;
	l.last.hi = 0;
	l.last.stack = false;
	find_holes(&l.holes);
	l.pagemap = t->page ? pages_open() : -1;
	ok = maps_open(&l.maps) && (!t->page || l.pagemap >= 0);
	while (ok && maps_next(&l.maps, &m)) {
		add_to_layout(&l, &m);
		if (t->mapping)
			t->mapping(t->ctx, &m);
		if (t->page && m.writable && !m.shared)
			ok = look_mapping(&l, &m);
	}
	end_piece(&l);
	maps_close(&l.maps);
	if (l.pagemap >= 0)
		sys_close(l.pagemap);
	*layout = l.layout;
	return ok;
}
