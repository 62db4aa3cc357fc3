/* Promises: see trust.h, and trust.md for why they are needed. */
#include "explore/trust/trust.h"

#include <string.h>

#include "explore/trace/thread_events.h"
#include "explore/trust/trust_sweep.h"

/* A question about event g, and its clock, which is computed on demand. */
struct question {
	const struct event *g;
	uint32_t self;        /* its index in the trace, or NO_INDEX: it would come next */
	const uint32_t *past; /* its clock, of width w; NULL: not computed yet */
	uint32_t w;
	bool all;             /* every event happens before it */
};

void past_of_next(struct search *s, const struct event *g, const struct left *l, uint32_t *c, uint32_t w)
{
	struct preds p;
	uint32_t d, last = thread_last(s, g->thread), before = last;
	memset(c, 0, w * sizeof *c);
	while (before && !is_left(s, l, before - 1)) /* g is an alternative of an operation that is deleted */
		before = node_at(s, before - 1)->thread_prev;
	if (before)
		clock_join(s, c, before - 1);
	preds_of_next(s, &p, g);
	p.own_past = before == last;
	p.past = c;
	p.past_w = w;
	while (preds_next(s, &p, &d)) {
		s->trace.work++;
		if (!is_left(s, l, d))
			continue;
		if (!clock_covers(s, c, w, d))
			clock_join(s, c, d);
		preds_cut(s, &p, d);
	}
}

static bool belongs_to_f(const struct revisit *r, uint32_t k)
{
	return k >= r->base + r->w && k < r->base + r->w + r->f;
}

/* Returns whether event x (index k, or NO_INDEX) conflicts with the event that gave way. */
static bool conflicts(const struct revisit *r, const struct event *x, bool deadly, uint32_t k)
{
	return r->deadly || deadly || belongs_to_f(r, k) || events_dependent(x, &r->a);
}

/* Returns whether thread t has an event in [lo, before) among the nodes that are left. */
static bool moved(struct search *s, thread_id t, uint32_t lo, uint32_t before, const struct left *l)
{
	uint32_t k = slot_of(s, t);
	if (k == NO_INDEX)
		return false;
	uint32_t n = ((struct slot *)vec_data(&s->core, &s->trace.slots))[k].count;
	if (l->upto) {
		n = line_before(s, k, l->from);
		n = k < l->w && l->upto[k] > n ? l->upto[k] : n;
	}
	if (n && line_event(s, k, n) >= before)
		n = line_before(s, k, before);
	return n && line_event(s, k, n) >= lo;
}

/* Returns whether g touches all bytes of memory that a touches. */
static bool spans(const struct event *g, const struct event *a)
{
	uint64_t glo, ghi, alo, ahi;
	return event_bytes(g, &glo, &ghi) && event_bytes(a, &alo, &ahi) && glo <= alo && ahi <= ghi;
}

static bool poked(struct search *s, thread_id t)
{
	uint32_t k = slot_of(s, t);
	return k != NO_INDEX && ((struct slot *)vec_data(&s->core, &s->trace.slots))[k].last_poke;
}

/*
 * g conflicts with the event that gave way, as it was. Returns whether g also certainly comes before the thread's next event if that has
 * another outcome or is another alternative. It does when g conflicts with each possible outcome, or with whatever could change the
 * outcome.
 */
static bool certain(struct search *s, const struct revisit *r, const struct event *g)
{
	const struct event *a = &r->a;
	if (r->deadly || (event_kind_flags(a->kind) & K_END))
		return true;
	if (!r->alone || poked(s, a->thread) || !events_dependent(g, a))
		return false;
	switch (event_kind_outcome(a->kind)) {
	case OUTCOME_FOUND:
		return !(a->flags & EVF_AWAIT) || spans(g, a);
	case OUTCOME_SWAP:
		return (!(a->flags & EVF_AWAIT) && !event_expected(a)) || spans(g, a);
	case OUTCOME_ARRIVAL:
		return false;
	case OUTCOME_WOKEN:
		return event_kind_outcome(g->kind) != OUTCOME_WOKEN;
	case OUTCOME_SAME:
	case OUTCOME_EXCLUSIVE:
	case OUTCOME_SHARED:
	case OUTCOME_UNSHARED:
	case OUTCOME_CLAIM:
	case OUTCOME_ENDED:
	case OUTCOME_POST:
	case OUTCOME_TOKEN:
	case OUTCOME_ONCE:
	case OUTCOME_SLEEP:
	case OUTCOME_REQUEUED:
	case OUTCOME_READY:
		break;
	}
	return true;
}

static bool covers(struct search *s, const struct question *q, uint32_t k)
{
	return q->all || clock_covers(s, q->past, q->w, k);
}

static void ask_node(struct search *s, struct question *q, uint32_t k)
{
	const struct node *n = node_at(s, k);
	*q = (struct question){.g = &n->ev, .self = k, .past = (uint32_t *)vec_data(&s->core, &s->trace.clocks) + n->clock_at, .w = n->clock_w};
}

/* Computes the clock of g. Returns false when memory is used up. */
static bool answer(struct search *s, struct question *q, const struct left *l)
{
	struct vec *v = &s->trust.scratch[SCRATCH_PROMISE];
	if (q->past || q->all)
		return true;
	if (!vec_reserve(&s->core, v, s->trace.slots.n, sizeof(uint32_t)))
		return false;
	past_of_next(s, q->g, l, vec_data(&s->core, v), s->trace.slots.n);
	q->past = vec_data(&s->core, v);
	q->w = s->trace.slots.n;
	return true;
}

/* Returns whether an event of F happens before event i. */
static bool after_f(struct search *s, const struct revisit *r, uint32_t i)
{
	for (uint32_t k = r->base + r->w; k < behind(r) && k <= i; k++)
		if (happens_before(s, k, i))
			return true;
	return false;
}

/* Counts the events of the slot's thread before its first event that comes after an event of F. */
static uint32_t events_before_f(struct search *s, const struct revisit *r, uint32_t slot, uint32_t lo)
{
	uint32_t hi = ((struct slot *)vec_data(&s->core, &s->trace.slots))[slot].count;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (after_f(s, r, line_event(s, slot, mid + 1)))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Finds the set of events from r's on that do not come after its F. F conflicts with the event that gave way. */
static bool find_early(struct search *s, const struct revisit *r, struct vec *set)
{
	if (!bits_clear(&s->core, set, s->trace.analysed))
		return false;
	for (uint32_t slot = 0; slot < s->trace.slots.n; slot++) {
		uint32_t lo = line_before(s, slot, r->base), hi = events_before_f(s, r, slot, lo);
		s->trace.work += 4 + hi - lo;
		while (lo++ < hi)
			bits_set(&s->core, set, line_event(s, slot, lo));
	}
	return true;
}

/* Returns whether g's past holds an event that conflicts with the one that gave way. */
static bool conflict_before(struct search *s, const struct revisit *r, const struct question *q, const struct left *l)
{
	struct vec *set = &s->trust.scratch[SCRATCH_INNER];
	for (uint32_t k = r->base + r->w; k < r->base + r->w + r->f && k < s->trace.analysed; k++)
		if (k != q->self && is_left(s, l, k) && covers(s, q, k))
			return true;
	if (!find_early(s, r, set))
		return true;
	for (uint32_t k = bits_next(&s->core, set, r->base); k != NO_INDEX; k = bits_next(&s->core, set, k + 1)) {
		const struct node *n = node_at(s, k);
		if (k != q->self && is_left(s, l, k) && covers(s, q, k) && conflicts(r, &n->ev, n->deadly, k))
			return true;
	}
	return false;
}

/* The thread continues with an event of this past. Returns whether the earliest conflicting events in the past are the promised ones. */
static bool goes_on_as_promised(struct search *s, const struct revisit *r, const struct question *q, const struct left *l)
{
	uint32_t end = l->upto ? s->trace.analysed : l->from; /* everything left counts, or what comes before `from` */
	struct vec *set = &s->trust.scratch[SCRATCH_HIT];
	if (q->self != NO_INDEX && q->self < end)
		end = q->self;
	for (uint32_t k = r->base + r->w; k < r->base + r->w + r->f && k < end; k++)
		if (is_left(s, l, k) && !covers(s, q, k))
			return false;
	if (!find_early(s, r, set))
		return true;
	for (uint32_t k = bits_next(&s->core, set, r->base); k != NO_INDEX && k < end; k = bits_next(&s->core, set, k + 1)) {
		const struct node *n = node_at(s, k);
		struct question inner;
		if (!is_left(s, l, k) || belongs_to_f(r, k) || !covers(s, q, k) || !conflicts(r, &n->ev, n->deadly, k))
			continue;
		ask_node(s, &inner, k);
		if (!conflict_before(s, r, &inner, l))
			return false;
	}
	return true;
}

static bool allows(struct search *s, const struct revisit *r, struct question *q, const struct left *l)
{
	bool goes_on = q->g->thread == r->a.thread;
	if (goes_on && r->deadly && !l->upto)
		return true; /* whether the process dies is seen then; if it does, the death has everything in its past */
	if (!goes_on && !certain(s, r, q->g))
		return true; /* g may turn out not to come before: this is checked when the thread continues */
	if (!answer(s, q, l))
		return false;
	return goes_on ? goes_on_as_promised(s, r, q, l) : conflict_before(s, r, q, l);
}

/* Returns whether the thread that gave way has not continued yet, among the events that are left and come before index `before`. */
static bool open(struct search *s, const struct revisit *r, const struct left *l, uint32_t before)
{
	uint32_t own = r->base + r->w + r->f;
	if (r->by_death)
		return false;
	for (uint32_t k = r->base + r->w; k < own; k++)
		if (k < s->trace.nodes.n && node_at(s, k)->ev.thread == r->a.thread)
			return false; /* it continued with another alternative at once */
	return !moved(s, r->a.thread, r->base, before, l);
}

void promise_made(struct search *s)
{
	struct revisit *r = revisit_at(s, s->trust.revisits.n - 1);
	r->alive = s->trust.revisits.n - 1;
	while (r->alive && behind(revisit_at(s, r->alive - 1)) > r->base)
		r->alive = revisit_at(s, r->alive - 1)->alive;
}

/* Returns the number + 1 of the latest revisit whose state still exists without the nodes from `from` on. */
static uint32_t latest_alive(struct search *s, uint32_t from)
{
	uint32_t k = s->trust.revisits.n;
	while (k && behind(revisit_at(s, k - 1)) > from)
		k = revisit_at(s, k - 1)->alive;
	return k;
}

/* Finds the revisits (numbers) whose promise is open after nodes [0, from). */
static void find_open(struct search *s, uint32_t from)
{
	struct vec *v = &s->trust.scratch[SCRATCH_OPEN];
	const struct left all = {.from = from};
	v->n = 0;
	for (uint32_t k = latest_alive(s, from); k; k = revisit_at(s, k - 1)->alive) {
		s->trace.work++;
		if (!open(s, revisit_at(s, k - 1), &all, from))
			continue;
		uint32_t *x = vec_push(&s->core, v, sizeof *x);
		if (x)
			*x = k - 1;
	}
}

#define OPEN_PLAIN NO_INDEX /* value of open_known: the set holds those that are open after the latest plain step, and maybe others */

/* Returns the promises that may be open for an event that comes after nodes [0, l->from). Plain steps open none. */
static struct vec *may_be_open(struct search *s, const struct left *l)
{
	bool plain = !l->upto && l->from >= trust_floor(s);
	uint32_t known = plain ? OPEN_PLAIN : l->from + 1;
	if (s->trust.open_known != known)
		find_open(s, plain ? trust_floor(s) : l->from);
	s->trust.open_known = known;
	return &s->trust.scratch[SCRATCH_OPEN];
}

static bool all_allow(struct search *s, struct question *q, const struct left *l)
{
	struct vec *v = may_be_open(s, l);
	uint32_t n = 0, k = 0;
	bool allowed = true;
	for (; k < v->n; k++) {
		uint32_t *list = vec_data(&s->core, v);
		const struct revisit *r = revisit_at(s, list[k]);
		bool is_open = open(s, r, l, q->self);
		s->trace.work++;
		allowed = allowed && (!is_open || allows(s, r, q, l));
		if (s->trust.open_known != OPEN_PLAIN && !allowed)
			return false;
		list[n] = list[k];
		n += is_open || s->trust.open_known != OPEN_PLAIN;
	}
	v->n = n;
	return allowed;
}

bool promises_allow(struct search *s, const struct event *g, const uint32_t *past, uint32_t w, const struct left *l)
{
	struct question q = {.g = g, .self = NO_INDEX, .past = past, .w = w};
	return all_allow(s, &q, l);
}

bool promises_allow_node(struct search *s, uint32_t j, const struct left *l)
{
	struct question q;
	ask_node(s, &q, j);
	return all_allow(s, &q, l);
}

/* The first event of the thread after the promise; NO_INDEX: none. */
static uint32_t went_on(struct search *s, const struct revisit *r)
{
	for (uint32_t i = behind(r); i < s->trace.analysed; i++)
		if (node_at(s, i)->ev.thread == r->a.thread && node_at(s, i)->choice_n)
			return i;
	return NO_INDEX;
}

/* Returns whether what is left kept the promise. */
static bool kept_after_all(struct search *s, const struct revisit *r, const struct left *l)
{
	struct question q;
	struct vec *set = &s->trust.scratch[SCRATCH_HIT];
	if (!open(s, r, l, NO_INDEX)) {
		uint32_t i = r->deadly && !l->upto ? went_on(s, r) : NO_INDEX;
		if (i == NO_INDEX)
			return true;
		ask_node(s, &q, i);
		q.all = node_at(s, i)->deadly;
		return goes_on_as_promised(s, r, &q, &(struct left){.from = i});
	}
	if (!find_early(s, r, set))
		return true;
	for (uint32_t i = bits_next(&s->core, set, r->base); i != NO_INDEX; i = bits_next(&s->core, set, i + 1)) {
		const struct node *n = node_at(s, i);
		if (belongs_to_f(r, i) || !n->choice_n || !is_left(s, l, i) || !conflicts(r, &n->ev, n->deadly, i))
			continue;
		ask_node(s, &q, i);
		if (!conflict_before(s, r, &q, l))
			return false;
	}
	return true;
}

bool promises_kept(struct search *s, const struct left *l)
{
	for (uint32_t k = latest_alive(s, s->trace.analysed); k; k = revisit_at(s, k - 1)->alive) {
		const struct revisit *r = revisit_at(s, k - 1);
		s->trace.work++;
		if (l->upto && r->base <= l->from)
			return true; /* its time is not over, nor is that of the earlier ones */
		if (!kept_after_all(s, r, l))
			return false;
	}
	return true;
}
