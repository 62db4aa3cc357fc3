/*
 * The order of the seq_cst events under RC11 (rc11.h):
 *
 *   eco  = (rf | mo | rb)+
 *   scb  = sb | sb!=place ; hb ; sb!=place | hb & same place | mo | rb
 *   psc  = ([SC] | [Fsc] ; hb?) ; scb ; ([SC] | hb? ; [Fsc])  |  [Fsc] ; (hb | hb ; eco ; hb) ; [Fsc]
 *
 * It had no cycle without the newest event e, so a new cycle leads through that one. e happens before nothing. So each
 * new edge begins with e, or with a seq_cst fence that happens before e: then e stands after hb. The search follows psc
 * from there, until it comes back to e or to such a fence. All edges that begin with e begin with these fences, too.
 *
 * Three sets hold what is reached. Each one has the last events of each thread, so a number for each thread is enough:
 * - the seq_cst events that psc leads to;
 * - what happens after a reached fence, itself included: from there scb and eco lead on;
 * - what happens after a store or load that leads to fences: those among it are reached.
 *
 * The fences that happen after a reached event are reached, too: psc goes on along hb to them.
 *
 * The time grows with the events that are reached, which come after the newest event in psc, not with the length of the
 * execution.
 */
#include "sched/rc11.h"

/* What the search knows of a thread. `below`: index + 1 of the last event that is not in a set; 0: all are. */
struct rc11_reach {
	uint32_t first; /* seq_cst events of the thread from this number on are reached */
	uint32_t next;  /* index + 1 of the event whose successors come next, if it is reached */
	uint32_t after; /* index + 1 of the event of the thread after that one; 0: none */
	uint32_t apart; /* number of the first event of the thread after `after` that is not of its place */
	uint32_t below_known; /* of what happens after a reached fence */
	uint32_t below_leads; /* of what happens after an event that leads to fences */
};

_Static_assert(sizeof(struct rc11_reach) == RC11_REACH_BYTES, "rc11.h has room for it");

static struct rc11_reach *reach_at(const struct rc11 *g, uint32_t thread)
{
	return (struct rc11_reach *)((char *)g + g->reach_at) + thread;
}

static void reach(const struct rc11 *g, uint32_t i)
{
	const struct rc11_event *e = rc11_event(g, i);
	struct rc11_reach *r = reach_at(g, e->op.thread);
	if (rc11_strong(e) && e->number < r->first)
		r->first = e->number;
}

/* Returns whether the event of the thread with this number is in a set. */
static bool above(const struct rc11 *g, uint32_t below, uint32_t number)
{
	return !below || number > rc11_event(g, below - 1)->number;
}

/* Reaches the fences that happen after event i. */
static void lead(const struct rc11 *g, uint32_t i)
{
	const struct rc11_event *e = rc11_event(g, i);
	uint32_t t = e->op.thread;
	if (!g->fences || above(g, reach_at(g, t)->below_leads, e->number))
		return;
	for (uint32_t v = 0; v < g->limits.threads; v++) {
		uint32_t *b = &reach_at(g, v)->below_leads;
		for (; *b && rc11_clock(g, *b - 1, RC11_HB)[t] >= e->number; *b = rc11_event(g, *b - 1)->before)
			if (rc11_strong_fence(rc11_event(g, *b - 1)))
				reach(g, *b - 1);
	}
}

/* Calls lead for those that read `store`. */
static void lead_readers(const struct rc11 *g, uint32_t place, uint32_t store)
{
	for (uint32_t r = *rc11_readers(g, place, store); r; r = rc11_event(g, r - 1)->next_reader)
		lead(g, r - 1);
}

/* Follows mo | rb and eco from event b, which happens after a reached fence. What it reaches from a store, it reaches
 * from all older ones. */
static void follow_known(const struct rc11 *g, uint32_t b)
{
	const struct rc11_event *e = rc11_event(g, b);
	uint32_t store = e->writes ? b + 1 : e->reads_from;
	if (!rc11_accesses(e) || (e->writes && e->followed == g->searches))
		return;
	if (e->writes)
		lead_readers(g, e->op.place, store);
	while ((store = rc11_newer(g, e->op.place, store)) && rc11_event(g, store - 1)->followed != g->searches) {
		rc11_event(g, store - 1)->followed = g->searches;
		reach(g, store - 1);
		lead(g, store - 1);
		lead_readers(g, e->op.place, store);
	}
}

/*
 * Follows psc from a reached fence. Where an event leads that happens after the fence, the fence leads, too. So all
 * these events count as reached.
 */
static void follow_fence(const struct rc11 *g, uint32_t f)
{
	const struct rc11_event *fence = rc11_event(g, f);
	for (uint32_t v = 0; v < g->limits.threads; v++) {
		uint32_t *b = &reach_at(g, v)->below_known;
		while (*b && rc11_clock(g, *b - 1, RC11_HB)[fence->op.thread] >= fence->number) {
			reach(g, *b - 1);
			follow_known(g, *b - 1);
			*b = rc11_event(g, *b - 1)->before;
		}
	}
}

/* Reaches those that read `store` and that happen after event a, which is of the same place. */
static void reach_readers(const struct rc11 *g, uint32_t a, uint32_t store)
{
	for (uint32_t r = *rc11_readers(g, rc11_event(g, a)->op.place, store); r; r = rc11_event(g, r - 1)->next_reader)
		if (r - 1 != a && rc11_covers(g, rc11_clock(g, r - 1, RC11_HB), a))
			reach(g, r - 1);
}

/* mo | rb | hb & same place. By coherence, what happens after a is a newer store, or reads one, or reads what a reads
 * or writes. */
static void follow_place(const struct rc11 *g, uint32_t a)
{
	const struct rc11_event *e = rc11_event(g, a);
	uint32_t store = e->writes ? a + 1 : e->reads_from;
	reach_readers(g, a, store);
	while ((store = rc11_newer(g, e->op.place, store))) {
		reach(g, store - 1);
		lead(g, store - 1);
		reach_readers(g, a, store);
	}
}

/* sb!=place ; hb ; sb!=place, from thread t, where `apart` is the number of the first event after the first step. */
static void follow_threads(const struct rc11 *g, uint32_t t, uint32_t apart)
{
	for (uint32_t v = 0; v < g->limits.threads; v++) {
		/* later events of v are reached */
		for (uint32_t b = v == t ? 0 : reach_at(g, v)->next; b; b = rc11_event(g, b - 1)->before) {
			uint32_t d = rc11_event(g, b - 1)->apart;
			if (!d || rc11_clock(g, d - 1, RC11_HB)[t] < apart)
				break; /* so it is for all earlier events of v */
			reach(g, b - 1);
		}
	}
}

/* Follows psc from the next event of a thread. */
static void follow(const struct rc11 *g, uint32_t t)
{
	struct rc11_reach *r = reach_at(g, t);
	uint32_t a = r->next - 1;
	const struct rc11_event *e = rc11_event(g, a), *after = r->after ? rc11_event(g, r->after - 1) : NULL;
	if (after && !rc11_same_place(e, after))
		r->apart = after->number;
	r->after = r->next;
	r->next = e->before;
	if (rc11_strong_fence(e))
		follow_fence(g, a);
	if (!rc11_strong(e) || above(g, r->below_known, e->number))
		return;
	if (r->apart)
		follow_threads(g, t, r->apart);
	follow_place(g, a);
}

/* Returns whether event f is a seq_cst fence that happens before the newest event. */
static bool fence_before_newest(const struct rc11 *g, uint32_t f)
{
	return rc11_strong_fence(rc11_event(g, f)) && rc11_covers(g, rc11_clock(g, g->n - 1, RC11_HB), f);
}

static bool knows_fence(const struct rc11 *g)
{
	for (uint32_t t = 0; t < g->limits.threads; t++) {
		uint32_t f = rc11_first_fence(g)[t];
		if (f && fence_before_newest(g, f - 1))
			return true;
	}
	return false;
}

/* Follows what is reached. Returns true if that leads back to the newest event, which counts if it is the source, or to
 * a seq_cst fence before it. */
static bool leads_back(const struct rc11 *g, bool source)
{
	const struct rc11_event *e = rc11_event(g, g->n - 1);
	uint32_t home = e->op.thread;
	if (source && reach_at(g, home)->first <= e->number)
		return true;
	for (bool changed = !(g->without & RC11_WITHOUT_LONG_CYCLES); changed;) {
		changed = false;
		for (uint32_t t = 0; t < g->limits.threads; t++) {
			struct rc11_reach *r = reach_at(g, t);
			while (r->next && rc11_event(g, r->next - 1)->number >= r->first) {
				if (fence_before_newest(g, r->next - 1))
					return true;
				follow(g, t);
				changed = true;
				if (source && reach_at(g, home)->first <= e->number)
					return true;
			}
		}
	}
	return false;
}

bool rc11_leads_back(struct rc11 *g)
{
	uint32_t i = g->n - 1;
	const struct rc11_event *e = rc11_event(g, i);
	bool fences = g->fences && knows_fence(g);
	if (!rc11_strong(e) && !fences)
		return false;
	g->searches++;
	for (uint32_t t = 0; t < g->limits.threads; t++) {
		uint32_t last = rc11_last(g)[t];
		*reach_at(g, t) = (struct rc11_reach){
			.first = UINT32_MAX, .next = last, .below_known = last, .below_leads = last};
	}
	if (rc11_strong(e)) {
		follow_place(g, i);
		if (leads_back(g, true))
			return true;
	}
	if (fences)
		follow_known(g, i);
	return fences && leads_back(g, false);
}
