/*
 * The order of the seq_cst events under RC11 (rc11.h):
 *
 *   eco  = (rf | mo | rb)+
 *   scb  = sb | sb!=place ; hb ; sb!=place | hb & same place | mo | rb
 *   psc  = ([SC] | [Fsc] ; hb?) ; scb ; ([SC] | hb? ; [Fsc])  |  [Fsc] ; (hb | hb ; eco ; hb) ; [Fsc]
 *
 * psc must have no cycle. It concerns all events, also those that are not in the past of the newest one, so it is not a
 * clock: the relations are bit matrices with a row for each event. Without seq_cst fences, rc11_search.c does with
 * less.
 *
 * The accesses of one place have ranks: the k-th store has 2k, the events that only read it 2k + 1. Then eco is "same
 * place and lower rank", and mo | rb is the same if the second event is a store.
 */
#include <string.h>

#include "sched/rc11.h"

enum matrix { HB, TAIL, SCB, PSC };

/* Returns row i of a matrix: bit j is set if event i is related to event j. */
static uint64_t *row(const struct rc11 *g, enum matrix m, uint32_t i)
{
	size_t words = (g->limits.events + 63) / 64;
	return (uint64_t *)((char *)g + g->rows_at) + ((size_t)m * g->limits.events + i) * words;
}
static uint32_t *ranks(const struct rc11 *g)
{
	return (uint32_t *)row(g, PSC + 1, 0);
}
static uint32_t words_of(const struct rc11 *g)
{
	return (g->n + 63) / 64;
}
static void set(uint64_t *r, uint32_t j)
{
	r[j / 64] |= 1ull << j % 64;
}
static bool has(const uint64_t *r, uint32_t j)
{
	return r[j / 64] >> j % 64 & 1;
}
static void add_row(const struct rc11 *g, uint64_t *r, const uint64_t *other)
{
	for (uint32_t k = 0; k < words_of(g); k++)
		r[k] |= other[k];
}
static void clear(const struct rc11 *g, uint64_t *r)
{
	memset(r, 0, words_of(g) * sizeof *r);
}

/* Loops over the bits j of row r. */
#define FOR_BITS(g, r, j) \
	for (uint32_t k_ = 0; k_ < words_of(g); k_++) \
		for (uint64_t b_ = (r)[k_]; b_ && ((j) = k_ * 64 + (uint32_t)__builtin_ctzll(b_), true); b_ &= b_ - 1)

static bool in_thread(const struct rc11_event *a, const struct rc11_event *b)
{
	return a->op.thread == b->op.thread && a->number < b->number;
}
static bool strong_fence(const struct rc11_event *e)
{
	return e->order == RC11_SEQ_CST && e->op.kind == RC11_FENCE;
}

static void rank_all(struct rc11 *g)
{
	uint32_t *rank = ranks(g);
	for (uint32_t p = 0; p < g->places; p++) {
		uint32_t k = 2;
		for (uint32_t w = rc11_place_at(g, p)->oldest; w; w = rc11_event(g, w - 1)->newer, k += 2)
			rank[w - 1] = k;
	}
	for (uint32_t i = 0; i < g->n; i++) {
		const struct rc11_event *e = rc11_event(g, i);
		if (e->reads && !e->writes)
			rank[i] = e->reads_from ? rank[e->reads_from - 1] + 1 : 1;
	}
}

static bool before_in_place(const struct rc11 *g, uint32_t i, uint32_t j)
{
	return rc11_same_place(rc11_event(g, i), rc11_event(g, j)) && ranks(g)[i] < ranks(g)[j];
}

/* HB: happens-before, without the event itself. TAIL: hb ; sb!=place. */
static void fill_hb(struct rc11 *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		clear(g, row(g, HB, i));
		for (uint32_t j = i + 1; j < g->n; j++) /* events are added after those that happen before them */
			if (rc11_covers(g, rc11_clock(g, j, RC11_HB), i))
				set(row(g, HB, i), j);
	}
	for (uint32_t i = 0; i < g->n; i++) {
		uint64_t *own = row(g, SCB, i); /* for now: sb!=place */
		clear(g, own);
		for (uint32_t j = i + 1; j < g->n; j++)
			if (in_thread(rc11_event(g, i), rc11_event(g, j)) &&
				!rc11_same_place(rc11_event(g, i), rc11_event(g, j)))
				set(own, j);
	}
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t j;
		clear(g, row(g, TAIL, i));
		FOR_BITS(g, row(g, HB, i), j)
			add_row(g, row(g, TAIL, i), row(g, SCB, j));
	}
}

/* Turns SCB from sb!=place into scb. */
static void fill_scb(struct rc11 *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		const struct rc11_event *a = rc11_event(g, i);
		uint64_t *scb = row(g, SCB, i), *apart = row(g, PSC, 0);
		uint32_t j;
		memcpy(apart, scb, words_of(g) * sizeof *scb);
		FOR_BITS(g, apart, j)
			add_row(g, scb, row(g, TAIL, j));
		for (j = 0; j < g->n; j++) {
			const struct rc11_event *b = rc11_event(g, j);
			if (in_thread(a, b) || (has(row(g, HB, i), j) && rc11_same_place(a, b)) ||
				(b->writes && before_in_place(g, i, j)))
				set(scb, j);
		}
	}
}

/* Adds to PSC the seq_cst events that events of `from` lead to: those among them, and fences that come after them. `from` is left out. */
static void arrive(struct rc11 *g, uint64_t *psc, const uint64_t *from)
{
	uint32_t j, f;
	FOR_BITS(g, from, j) {
		if (rc11_strong(rc11_event(g, j)))
			set(psc, j);
		for (f = j + 1; g->fences && f < g->n; f++)
			if (strong_fence(rc11_event(g, f)) && has(row(g, HB, j), f))
				set(psc, f);
	}
}

/* Adds hb | hb ; eco ; hb between fences. TAIL is free. */
static void add_fence_order(struct rc11 *g, uint32_t i)
{
	uint64_t *psc = row(g, PSC, i), *reached = row(g, TAIL, i);
	uint32_t j, f;
	clear(g, reached);
	FOR_BITS(g, row(g, HB, i), j) {
		set(reached, j);
		for (f = 0; f < g->n; f++)
			if (before_in_place(g, j, f))
				add_row(g, reached, row(g, HB, f));
	}
	for (f = 0; f < g->n; f++)
		if (strong_fence(rc11_event(g, f)) && has(reached, f))
			set(psc, f);
}

static void fill_psc(struct rc11 *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		const struct rc11_event *e = rc11_event(g, i);
		uint64_t *psc = row(g, PSC, i), *from = row(g, TAIL, i);
		uint32_t j;
		clear(g, psc);
		if (!rc11_strong(e))
			continue;
		memcpy(from, row(g, SCB, i), words_of(g) * sizeof *from);
		if (strong_fence(e))
			FOR_BITS(g, row(g, HB, i), j)
				add_row(g, from, row(g, SCB, j));
		arrive(g, psc, from);
		if (strong_fence(e))
			add_fence_order(g, i);
	}
}

/* Removes events that lead to no remaining one, until nothing changes. What is left lies on cycles or leads to one. */
static bool has_cycle(struct rc11 *g)
{
	uint64_t *left = row(g, TAIL, 0);
	uint32_t n = 0;
	clear(g, left);
	for (uint32_t i = 0; i < g->n; i++)
		if (rc11_strong(rc11_event(g, i))) {
			set(left, i);
			n++;
		}
	for (bool changed = true; changed && n;) {
		uint32_t i;
		changed = false;
		FOR_BITS(g, left, i) {
			uint64_t leads = 0;
			for (uint32_t k = 0; k < words_of(g); k++)
				leads |= row(g, PSC, i)[k] & left[k];
			if (!leads) {
				left[i / 64] &= ~(1ull << i % 64);
				n--;
				changed = true;
			}
		}
	}
	return n > 0;
}

bool rc11_cyclic(struct rc11 *g)
{
	rank_all(g);
	fill_hb(g);
	fill_scb(g);
	fill_psc(g);
	return has_cycle(g);
}
