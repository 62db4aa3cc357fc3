/* Promises: see trust.h, and trust.md for why they are needed. */
#include "explore/trust.h"

#include <string.h>

#include "explore/vclock.h"

static bool left(uint32_t k, uint32_t from, const uint8_t *kept)
{
	return !kept || k < from || kept[k - from];
}

void past_of_next(struct search *s, const struct event *g, uint32_t from, const uint8_t *kept, uint32_t *c, uint32_t w)
{
	struct preds p;
	uint32_t d, before = thread_last(s, g->thread);
	memset(c, 0, w * sizeof *c);
	while (before && !left(before - 1, from, kept)) /* an alternative of an operation that is deleted */
		before = node_at(s, before - 1)->thread_prev;
	if (before)
		clock_join(s, c, before - 1);
	preds_of_next(s, &p, g);
	p.own_past = false;
	while (preds_next(s, &p, &d)) {
		if (!left(d, from, kept))
			continue;
		if (!clock_covers(s, c, w, d))
			clock_join(s, c, d);
	}
}

static bool belongs_to_f(const struct revisit *r, uint32_t k)
{
	return k >= r->base + r->w && k < r->base + r->w + r->f;
}

/* Does event x (index k, or NO_INDEX) conflict with the one that gave way? */
static bool conflicts(const struct revisit *r, const struct event *x, bool deadly, uint32_t k)
{
	return r->deadly || deadly || belongs_to_f(r, k) || events_dependent(x, &r->a);
}

/* Has thread t an event among the nodes that are left, in [lo, before)? */
static bool moved(struct search *s, thread_id t, uint32_t lo, uint32_t before, uint32_t from, const uint8_t *kept)
{
	uint32_t k = slot_of(s, t);
	if (k == NO_INDEX)
		return false;
	const struct slot *x = (struct slot *)vec_data(s, &s->slots) + k;
	for (uint32_t at = x->last; at > lo && node_at(s, at - 1)->ev.thread == t; at = node_at(s, at - 1)->thread_prev)
		if (at - 1 < before && left(at - 1, from, kept))
			return true;
	return false;
}

/* Memory: does g touch all the bytes that a touches? */
static bool spans(const struct event *g, const struct event *a)
{
	uint64_t glo, ghi, alo, ahi;
	return event_bytes(g, &glo, &ghi) && event_bytes(a, &alo, &ahi) && glo <= alo && ahi <= ghi;
}

static bool poked(struct search *s, thread_id t)
{
	uint32_t k = slot_of(s, t);
	return k != NO_INDEX && ((struct slot *)vec_data(s, &s->slots))[k].last_poke;
}

/*
 * g conflicts with what gave way, as it was. When its thread goes on by an event with another outcome or another alternative,
 * will g certainly come before that too? Yes when g conflicts with each possible outcome, or with whatever could change it.
 */
static bool certain(struct search *s, const struct revisit *r, const struct event *g)
{
	const struct event *a = &r->a;
	if (r->deadly || (event_kind_flags(a->kind) & K_END))
		return true;
	if (!r->alone || poked(s, a->thread) || !events_dependent(g, a))
		return false;
	bool changes = (a->flags & EVF_AWAIT) || (a->kind == EV_RMW && a->result);
	switch (a->kind) {
	case EV_LOAD:
	case EV_RMW:
		return !changes || spans(g, a);
	case EV_BARRIER_ARRIVE:
		return false;
	case EV_FUTEX_WAKE:
		return g->kind != EV_FUTEX_WAKE;
	default:
		return true;
	}
}

/* `past` NULL: all events are. */
static bool covers(struct search *s, const uint32_t *past, uint32_t w, uint32_t k)
{
	return !past || clock_covers(s, past, w, k);
}

/* Is something that conflicts with what gave way in the past of g? */
static bool conflict_before(struct search *s, const struct revisit *r, const uint32_t *past, uint32_t w, uint32_t from,
	const uint8_t *kept, uint32_t self)
{
	for (uint32_t k = r->base; k < s->nodes.n && k < s->analysed; k++) {
		const struct node *n = node_at(s, k);
		if (k != self && left(k, from, kept) && clock_covers(s, past, w, k) && conflicts(r, &n->ev, n->deadly, k))
			return true;
	}
	return false;
}

/* The thread goes on, with `past`: are the earliest conflicting events in it those that were promised? */
static bool goes_on_as_promised(struct search *s, const struct revisit *r, const uint32_t *past, uint32_t w, uint32_t from,
	const uint8_t *kept, uint32_t self)
{
	uint32_t end = kept ? s->analysed : from; /* with `kept` all that is left counts, without it what comes before `from` */
	for (uint32_t k = r->base; k < end; k++) {
		const struct node *n = node_at(s, k);
		if (k == self || !left(k, from, kept) || (self != NO_INDEX && k > self))
			continue;
		bool before = covers(s, past, w, k), promised = belongs_to_f(r, k);
		if (promised && !before)
			return false;
		if (!before || promised || !conflicts(r, &n->ev, n->deadly, k))
			continue;
		const uint32_t *c = (uint32_t *)vec_data(s, &s->clocks) + n->clock_at;
		if (!conflict_before(s, r, c, n->clock_w, from, kept, k))
			return false;
	}
	return true;
}

static bool allows(struct search *s, const struct revisit *r, const struct event *g, const uint32_t *past, uint32_t w,
	uint32_t from, const uint8_t *kept, uint32_t self)
{
	if (g->thread == r->a.thread && r->deadly && !kept)
		return true; /* whether it dies is seen then: it has everything in its past if it does */
	if (g->thread == r->a.thread)
		return goes_on_as_promised(s, r, past, w, from, kept, self);
	if (!certain(s, r, g))
		return true; /* it may turn out not to come before: looked at when the thread goes on */
	return conflict_before(s, r, past, w, from, kept, self);
}

/* Has the thread that gave way not gone on by the events that are left and come before index `before`? */
static bool open(struct search *s, const struct revisit *r, uint32_t from, const uint8_t *kept, uint32_t before)
{
	uint32_t own = r->base + r->w + r->f;
	if (r->by_death)
		return false;
	for (uint32_t k = r->base + r->w; k < own; k++)
		if (k < s->nodes.n && node_at(s, k)->ev.thread == r->a.thread)
			return false; /* it went on in another way at once */
	return !moved(s, r->a.thread, r->base, before, from, kept);
}

static bool all_allow(struct search *s, const struct event *g, const uint32_t *past, uint32_t w, uint32_t from,
	const uint8_t *kept, uint32_t self)
{
	uint32_t least = from;
	for (uint32_t k = s->revisits.n; k-- > 0;) {
		const struct revisit *r = revisit_at(s, k);
		bool alive = r->base + r->w + r->f <= least; /* else made in a state that is no more, or not made yet */
		if (alive && open(s, r, from, kept, self) && !allows(s, r, g, past, w, from, kept, self))
			return false;
		least = r->base < least ? r->base : least;
	}
	return true;
}

bool promises_allow(struct search *s, const struct event *g, const uint32_t *past, uint32_t w, uint32_t from, const uint8_t *kept)
{
	return all_allow(s, g, past, w, from, kept, NO_INDEX);
}

bool promises_open(struct search *s)
{
	uint32_t least = s->analysed;
	for (uint32_t k = s->revisits.n; k-- > 0;) {
		const struct revisit *r = revisit_at(s, k);
		if (r->base + r->w + r->f <= least && open(s, r, s->analysed, NULL, NO_INDEX))
			return true;
		least = r->base < least ? r->base : least;
	}
	return false;
}

bool promises_allow_node(struct search *s, uint32_t j, uint32_t from, const uint8_t *kept)
{
	const struct node *n = node_at(s, j);
	const uint32_t *c = (uint32_t *)vec_data(s, &s->clocks) + n->clock_at;
	return all_allow(s, &n->ev, c, n->clock_w, from, kept, j);
}

/* The first event of the thread after the promise; NO_INDEX: none. */
static uint32_t went_on(struct search *s, const struct revisit *r)
{
	for (uint32_t i = r->base + r->w + r->f; i < s->analysed; i++)
		if (node_at(s, i)->ev.thread == r->a.thread && node_at(s, i)->choice_n)
			return i;
	return NO_INDEX;
}

/* Was the promise kept by what is left? */
static bool kept_after_all(struct search *s, const struct revisit *r, uint32_t from, const uint8_t *kept)
{
	if (!open(s, r, from, kept, NO_INDEX)) {
		uint32_t i = r->deadly && !kept ? went_on(s, r) : NO_INDEX;
		if (i == NO_INDEX)
			return true;
		const struct node *n = node_at(s, i);
		const uint32_t *c = (uint32_t *)vec_data(s, &s->clocks) + n->clock_at;
		return goes_on_as_promised(s, r, n->deadly ? NULL : c, n->clock_w, i, NULL, i);
	}
	for (uint32_t i = r->base; i < s->analysed; i++) {
		const struct node *n = node_at(s, i);
		const uint32_t *c = (uint32_t *)vec_data(s, &s->clocks) + n->clock_at;
		if (!belongs_to_f(r, i) && n->choice_n && left(i, from, kept) && conflicts(r, &n->ev, n->deadly, i) &&
			!conflict_before(s, r, c, n->clock_w, from, kept, i))
			return false;
	}
	return true;
}

bool promises_kept(struct search *s, uint32_t from, const uint8_t *kept)
{
	uint32_t least = s->analysed;
	for (uint32_t k = s->revisits.n; k-- > 0;) {
		const struct revisit *r = revisit_at(s, k);
		bool alive = r->base + r->w + r->f <= least;
		least = r->base < least ? r->base : least;
		if (alive && (!kept || r->base > from) && !kept_after_all(s, r, from, kept))
			return false;
	}
	return true;
}
