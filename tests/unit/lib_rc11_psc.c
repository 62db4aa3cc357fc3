/*
 * The order of the seq_cst events under RC11 (lib_rc11.h):
 *
 *   eco  = (rf | mo | rb)+
 *   scb  = sb | sb!=place ; hb ; sb!=place | hb & same place | mo | rb
 *   psc  = ([SC] | [Fsc] ; hb?) ; scb ; ([SC] | hb? ; [Fsc])  |  [Fsc] ; (hb | hb ; eco ; hb) ; [Fsc]
 *
 * psc must have no cycle. The relations are bit matrices with a row for each event.
 *
 * The accesses of one place have ranks: the k-th store has 2k, the events that only read it 2k + 1. Then eco is "same
 * place and lower rank", and mo | rb is the same if the second event is a store.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_rc11.h"

enum matrix {
	HB,
	TAIL,
	SCB,
	PSC,
	MATRICES
};

struct matrices {
	const struct rc11 *g;
	uint64_t *rows;
	uint32_t *rank;
	uint32_t words; /* of a row */
};

/* Returns row i of a matrix: bit j is set if event i is related to event j. */
static uint64_t *row(const struct matrices *m, enum matrix which, uint32_t i)
{
	return m->rows + ((size_t)which * m->g->n + i) * m->words;
}
static void set(uint64_t *r, uint32_t j)
{
	r[j / 64] |= 1ull << j % 64;
}
static bool has(const uint64_t *r, uint32_t j)
{
	return r[j / 64] >> j % 64 & 1;
}
static void add_row(const struct matrices *m, uint64_t *r, const uint64_t *other)
{
	for (uint32_t k = 0; k < m->words; k++)
		r[k] |= other[k];
}
static void clear(const struct matrices *m, uint64_t *r)
{
	memset(r, 0, m->words * sizeof *r);
}

/* Returns the first bit of a row from j on, or the number of events if there is none. */
static uint32_t next_bit(const struct matrices *m, const uint64_t *r, uint32_t j)
{
	for (; j < m->g->n; j += 64 - j % 64) {
		uint64_t rest = r[j / 64] >> j % 64;
		if (rest)
			return j + (uint32_t)__builtin_ctzll(rest);
	}
	return m->g->n;
}

static bool in_thread(const struct rc11_event *a, const struct rc11_event *b)
{
	return a->op.thread == b->op.thread && a->number < b->number;
}

static void rank_all(const struct matrices *m)
{
	for (uint32_t p = 0; p < m->g->places; p++) {
		uint32_t k = 2;
		for (uint32_t w = rc11_place_at(m->g, p)->oldest; w; w = rc11_event(m->g, w - 1)->newer, k += 2)
			m->rank[w - 1] = k;
	}
	for (uint32_t i = 0; i < m->g->n; i++) {
		const struct rc11_event *e = rc11_event(m->g, i);
		if (e->reads && !e->writes)
			m->rank[i] = e->reads_from ? m->rank[e->reads_from - 1] + 1 : 1;
	}
}

static bool before_in_place(const struct matrices *m, uint32_t i, uint32_t j)
{
	return rc11_same_place(rc11_event(m->g, i), rc11_event(m->g, j)) && m->rank[i] < m->rank[j];
}

/* HB: happens-before, without the event itself. TAIL: hb ; sb!=place. */
static void fill_hb(const struct matrices *m)
{
	for (uint32_t i = 0; i < m->g->n; i++) {
		clear(m, row(m, HB, i));
		for (uint32_t j = i + 1; j < m->g->n; j++) /* events are added after those that happen before them */
			if (rc11_covers(m->g, rc11_clock(m->g, j, RC11_HB), i))
				set(row(m, HB, i), j);
	}
	for (uint32_t i = 0; i < m->g->n; i++) {
		uint64_t *own = row(m, SCB, i); /* for now: sb!=place */
		clear(m, own);
		for (uint32_t j = i + 1; j < m->g->n; j++)
			if (in_thread(rc11_event(m->g, i), rc11_event(m->g, j)) &&
				!rc11_same_place(rc11_event(m->g, i), rc11_event(m->g, j)))
				set(own, j);
	}
	for (uint32_t i = 0; i < m->g->n; i++) {
		uint32_t j;
		clear(m, row(m, TAIL, i));
		for (j = next_bit(m, row(m, HB, i), 0); j < m->g->n; j = next_bit(m, row(m, HB, i), j + 1))
			add_row(m, row(m, TAIL, i), row(m, SCB, j));
	}
}

/* Turns SCB from sb!=place into scb. */
static void fill_scb(const struct matrices *m)
{
	for (uint32_t i = 0; i < m->g->n; i++) {
		const struct rc11_event *a = rc11_event(m->g, i);
		uint64_t *scb = row(m, SCB, i), *apart = row(m, PSC, 0);
		uint32_t j;
		memcpy(apart, scb, m->words * sizeof *scb);
		for (j = next_bit(m, apart, 0); j < m->g->n; j = next_bit(m, apart, j + 1))
			add_row(m, scb, row(m, TAIL, j));
		for (j = 0; j < m->g->n; j++) {
			const struct rc11_event *b = rc11_event(m->g, j);
			if (in_thread(a, b) || (has(row(m, HB, i), j) && rc11_same_place(a, b)) ||
				(b->writes && before_in_place(m, i, j)))
				set(scb, j);
		}
	}
}

/* Adds to PSC the seq_cst events that events of `from` lead to: those among them, and fences that come after them. */
static void arrive(const struct matrices *m, uint64_t *psc, const uint64_t *from)
{
	uint32_t j, f;
	for (j = next_bit(m, from, 0); j < m->g->n; j = next_bit(m, from, j + 1)) {
		if (rc11_strong(rc11_event(m->g, j)))
			set(psc, j);
		for (f = j + 1; m->g->fences && f < m->g->n; f++)
			if (rc11_strong_fence(rc11_event(m->g, f)) && has(row(m, HB, j), f))
				set(psc, f);
	}
}

/* Adds hb | hb ; eco ; hb between fences. TAIL is free. */
static void add_fence_order(const struct matrices *m, uint32_t i)
{
	uint64_t *psc = row(m, PSC, i), *reached = row(m, TAIL, i);
	uint32_t j, f;
	clear(m, reached);
	for (j = next_bit(m, row(m, HB, i), 0); j < m->g->n; j = next_bit(m, row(m, HB, i), j + 1)) {
		set(reached, j);
		for (f = 0; f < m->g->n; f++)
			if (before_in_place(m, j, f))
				add_row(m, reached, row(m, HB, f));
	}
	for (f = 0; f < m->g->n; f++)
		if (rc11_strong_fence(rc11_event(m->g, f)) && has(reached, f))
			set(psc, f);
}

static void fill_psc(const struct matrices *m)
{
	for (uint32_t i = 0; i < m->g->n; i++) {
		const struct rc11_event *e = rc11_event(m->g, i);
		uint64_t *psc = row(m, PSC, i), *from = row(m, TAIL, i);
		uint32_t j;
		clear(m, psc);
		if (!rc11_strong(e))
			continue;
		memcpy(from, row(m, SCB, i), m->words * sizeof *from);
		if (rc11_strong_fence(e))
			for (j = next_bit(m, row(m, HB, i), 0); j < m->g->n; j = next_bit(m, row(m, HB, i), j + 1))
				add_row(m, from, row(m, SCB, j));
		arrive(m, psc, from);
		if (rc11_strong_fence(e))
			add_fence_order(m, i);
	}
}

/* Removes events that lead to no remaining one, until nothing changes. What is left lies on cycles or leads to one. */
static bool has_cycle(const struct matrices *m)
{
	uint64_t *left = row(m, TAIL, 0);
	uint32_t n = 0;
	clear(m, left);
	for (uint32_t i = 0; i < m->g->n; i++)
		if (rc11_strong(rc11_event(m->g, i))) {
			set(left, i);
			n++;
		}
	for (bool changed = true; changed && n;) {
		uint32_t i;
		changed = false;
		for (i = next_bit(m, left, 0); i < m->g->n; i = next_bit(m, left, i + 1)) {
			uint64_t leads = 0;
			for (uint32_t k = 0; k < m->words; k++)
				leads |= row(m, PSC, i)[k] & left[k];
			if (!leads) {
				left[i / 64] &= ~(1ull << i % 64);
				n--;
				changed = true;
			}
		}
	}
	return n > 0;
}

bool rc_cyclic(const struct rc11 *g)
{
	size_t words = (g->n + 63) / 64;
	struct matrices m = {.g = g, .words = (uint32_t)words};
	m.rows = calloc(MATRICES * words * g->n, sizeof *m.rows);
	m.rank = calloc(g->n, sizeof *m.rank);
	if (!m.rows || !m.rank)
		abort();
	rank_all(&m);
	fill_hb(&m);
	fill_scb(&m);
	fill_psc(&m);
	bool found = has_cycle(&m);
	free(m.rows);
	free(m.rank);
	return found;
}
