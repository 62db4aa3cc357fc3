/*
 * The order of the seq_cst events under RC11 when no fence is seq_cst (rc11.h, rc11_psc.c):
 *
 *   psc  = [SC] ; (sb | sb!=place ; hb ; sb!=place | hb & same place | mo | rb) ; [SC]
 *
 * It had no cycle without the newest event, so a new cycle leads through that one. The search follows psc from it. The
 * seq_cst events of a thread are in order, so those that are reached are its last ones, and one number for each thread
 * holds them. The time grows with the events that are reached, which come after the newest event in psc, not with the
 * length of the execution.
 */
#include "sched/rc11.h"

/* What the search knows of a thread. */
struct rc11_reach {
	uint32_t first; /* seq_cst events of the thread from this number on are reached */
	uint32_t next; /* index + 1 of the event whose successors come next, if it is reached */
	uint32_t after; /* index + 1 of the event of the thread after that one; 0: none */
	uint32_t apart; /* number of the first event of the thread after `after` that is not of its place */
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
	if (!rc11_strong(e))
		return;
	if (r->apart)
		follow_threads(g, t, r->apart);
	follow_place(g, a);
}

bool rc11_leads_back(struct rc11 *g)
{
	uint32_t i = g->n - 1, home = rc11_event(g, i)->op.thread;
	for (uint32_t t = 0; t < g->limits.threads; t++)
		*reach_at(g, t) = (struct rc11_reach){.first = UINT32_MAX, .next = rc11_last(g)[t]};
	follow(g, home);
	reach_at(g, home)->next = i + 1; /* the newest event is not reached yet */
	for (bool changed = !(g->without & RC11_WITHOUT_LONG_CYCLES); changed;) {
		changed = false;
		for (uint32_t t = 0; t < g->limits.threads; t++) {
			struct rc11_reach *r = reach_at(g, t);
			for (; r->next && rc11_event(g, r->next - 1)->number >= r->first; changed = true) {
				follow(g, t);
				if (reach_at(g, home)->first != UINT32_MAX)
					return true;
			}
		}
	}
	return reach_at(g, home)->first != UINT32_MAX;
}
