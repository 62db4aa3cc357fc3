/*
 * Which events of a graph may give way, and to which events: see trust_look.h.
 *
 * The lists of candidates must be functions of the graph alone, and must not depend on what is discovered in between, since a cursor names
 * their elements by number.
 */
#include "explore/trust/trust_look.h"

#include <string.h>

#include "explore/trace/feasible.h"
#include "explore/trace/thread_events.h"
#include "explore/trust/trust_sweep.h"

/* An executed event that may have to come after a new one. */
struct recent {
	uint32_t at, upto; /* see struct candidate */
};

static struct recent *recent_at(struct look *l, uint32_t k)
{
	return (struct recent *)vec_data(&l->s->core, &l->s->trust.scratch[SCRATCH_RECENT]) + k;
}

static const uint32_t *needed(struct look *l)
{
	return vec_data(&l->s->core, &l->s->trust.scratch[SCRATCH_NEEDED]);
}

static const struct event *choices_of(struct search *s, const struct node *n)
{
	return (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at;
}

/* ---- what must stay ---- */

static bool reserve_clock(struct look *l, struct vec *v)
{
	if (!vec_reserve(&l->s->core, v, l->w, sizeof(uint32_t)))
		return false;
	memset(vec_data(&l->s->core, v), 0, l->w * sizeof(uint32_t));
	return true;
}

/* Finds the clock of what must stay: flagged events, and what happens before them. It is the same for all graphs since the latest
   revisit. */
static bool find_stays(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->trust.scratch[SCRATCH_STAYS];
	if (s->trust.stays_known >= l->w)
		return true;
	if (!reserve_clock(l, v))
		return false;
	for (uint32_t i = 0; i < l->n; i++)
		if (mark_at(s, i)->flagged)
			clock_join(s, vec_data(&s->core, v), i);
	s->trust.stays_known = l->w;
	return true;
}

/* Adds the newest events with their past, for the case that a is another event. */
static bool find_needed(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->trust.scratch[SCRATCH_NEEDED];
	if (!vec_reserve(&s->core, v, l->w, sizeof(uint32_t)))
		return false;
	memcpy(vec_data(&s->core, v), vec_data(&s->core, &s->trust.scratch[SCRATCH_STAYS]), l->w * sizeof(uint32_t));
	clock_join(s, vec_data(&s->core, v), l->n - 1);
	return true;
}

bool must_stay(struct look *l, uint32_t i)
{
	return clock_covers(l->s, vec_data(&l->s->core, &l->s->trust.scratch[SCRATCH_STAYS]), l->w, i);
}

/* ---- outcomes ---- */

/* Returns whether the event's effect depends only on events that it is dependent with, and the trace always determines it. */
static bool follows_trace(struct search *s, const struct event *e)
{
	uint32_t slot = slot_of(s, e->thread);
	if (slot != NO_INDEX && ((struct slot *)vec_data(&s->core, &s->trace.slots))[slot].last_poke)
		return false;
	switch (event_kind_outcome(e->kind)) {
	case OUTCOME_EXCLUSIVE:
	case OUTCOME_SHARED:
	case OUTCOME_UNSHARED:
	case OUTCOME_CLAIM:
	case OUTCOME_ENDED:
	case OUTCOME_POST:
	case OUTCOME_TOKEN:
	case OUTCOME_ONCE:
		return true;
	case OUTCOME_SWAP:
		return !(e->flags & EVF_AWAIT);
	case OUTCOME_SAME:
	case OUTCOME_FOUND:
	case OUTCOME_ARRIVAL:
	case OUTCOME_SLEEP:
	case OUTCOME_WOKEN:
	case OUTCOME_REQUEUED:
	case OUTCOME_READY:
		break;
	}
	return false;
}

/*
 * Returns an upper limit for the index of an event a that gives way to e. If e may be another event elsewhere, it conflicts with a only if
 * it does so as it is in H, or if it changes. For a change, some event that e is dependent with must be deleted: a or a later one. So a
 * does not come after the latest such event that may be deleted; the result is the index after that one. NO_INDEX: no limit. `past`: what
 * cannot be deleted, with what precedes e in its thread.
 */
static uint32_t outcome_limit(struct look *l, const struct event *e, uint32_t at, const uint32_t *past)
{
	struct search *s = l->s;
	struct vec *met = &s->trust.scratch[SCRATCH_MET];
	struct event f = *e;
	bool doubt = false;
	struct cut all = {.self = at};
	if (!changeable(e) || !follows_trace(s, e))
		return NO_INDEX;
	if (at == NO_INDEX)
		foretell(s, &f, &all, &doubt);
	struct sweep x = {.e = &f, .related = events_dependent, .below = at == NO_INDEX ? l->n : at, .past = past, .w = l->w};
	if (doubt || !bits_clear(&s->core, met, l->n))
		return NO_INDEX;
	sweep(s, &x, met);
	uint32_t latest = bits_before(&s->core, met, l->n);
	return latest == NO_INDEX ? 0 : latest + 1;
}

/* Returns a clock of l->w numbers in SCRATCH_REST: what is needed, and the event before - 1 with its past. */
static uint32_t *past_behind(struct look *l, uint32_t before)
{
	struct vec *v = &l->s->trust.scratch[SCRATCH_REST];
	if (!vec_reserve(&l->s->core, v, l->w, sizeof(uint32_t)))
		return NULL;
	uint32_t *c = vec_data(&l->s->core, v);
	memcpy(c, needed(l), l->w * sizeof *c);
	if (before)
		clock_join(l->s, c, before - 1);
	return c;
}

/* ---- where to look ---- */

/* Returns whether a new event may have to come before e. */
static bool meets_new(struct look *l, const struct event *e)
{
	for (uint32_t k = l->fresh; k < l->n; k++)
		if (may_conflict(e, &node_at(l->s, k)->ev))
			return true;
	return false;
}

/* Like meets_new, for an event that follows `before` in program order. */
static bool is_new(struct look *l, uint32_t before, const struct event *e)
{
	return before > l->fresh || meets_new(l, e);
}

/* Adds the events before index `upto` that may give way to e. */
static void add_places(struct look *l, const struct event *e, const uint32_t *past, uint32_t upto)
{
	struct sweep x = {.e = e, .related = may_conflict, .below = upto < l->n ? upto : l->n, .past = past, .w = l->w};
	if (past && upto)
		sweep(l->s, &x, &l->s->trust.scratch[SCRATCH_PLACES]);
}

/* Returns what a thread would do next in H. Kind EV_NONE: nothing, or a late exit, for which no event gives way. */
static struct event pending_of(struct search *s, const struct slot *x)
{
	if (x->last && !event_exits_late(&mark_at(s, x->last - 1)->pending))
		return mark_at(s, x->last - 1)->pending;
	if (x->last)
		return (struct event){0};
	if (x->created)
		return (struct event){.kind = EV_THREAD_START, .thread = x->thread};
	return x->thread == s->trust.first_pending.thread ? s->trust.first_pending : (struct event){0};
}

static void places_of_others(struct look *l, thread_id t, uint32_t i, uint32_t before)
{
	const struct mark *m = mark_at(l->s, i);
	const struct event *e = others_of(l->s, m);
	l->others |= m->other_n;
	for (uint32_t k = 0; k < m->other_n; k++)
		if (e[k].thread == t && is_new(l, before, &e[k]))
			add_places(l, &e[k], past_behind(l, before), l->n);
}

/* By slot: what each thread would do next. It is the same for every event that may give way. */
static bool find_pending(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->trust.scratch[SCRATCH_PENDING];
	if (!vec_reserve(&s->core, v, l->w, sizeof(struct candidate)))
		return false;
	for (uint32_t k = 0; k < l->w; k++) {
		const struct slot *x = (struct slot *)vec_data(&s->core, &s->trace.slots) + k;
		struct candidate *c = (struct candidate *)vec_data(&s->core, v) + k;
		*c = (struct candidate){.ev = pending_of(s, x), .at = NO_INDEX, .before = x->last ? x->last : x->created, .upto = NO_INDEX};
		c->newly = c->ev.kind != EV_NONE && is_new(l, c->before, &c->ev);
		if (c->newly) {
			const uint32_t *past = past_behind(l, c->before);
			c->upto = outcome_limit(l, &c->ev, NO_INDEX, past);
			add_places(l, &c->ev, past, c->upto);
		}
		if (c->before)
			places_of_others(l, x->thread, c->before - 1, c->before);
		for (uint32_t poke = x->last_poke; poke > c->before; poke = node_at(s, poke - 1)->poke_prev)
			places_of_others(l, x->thread, poke - 1, c->before);
	}
	return !s->core.failed;
}

/* Returns whether d could change when e comes before it, although they are independent. */
static bool may_change_by(const struct event *e, const struct event *d)
{
	return changeable(d) && may_conflict(d, e);
}

/* Returns the next alternative that the thread of node i had there, from number *k on. */
static const struct event *next_alternative(struct search *s, const struct node *n, uint32_t *k)
{
	const struct event *c = choices_of(s, n);
	for (; *k < n->choice_n + n->blocked_n; ++*k)
		if (c[*k].thread == n->ev.thread && c[*k].alt != n->ev.alt)
			return &c[(*k)++];
	return NULL;
}

static bool is_overwritten_by(const struct event *e, const struct event *d)
{
	return object_is_memory(d->obj[0]) && mode_changes_bytes(d->mode[0]) && may_conflict(d, e);
}

/*
 * Returns whether event i is a failed compare-and-swap of the same bytes as the only new event, which still finds the same value. There may
 * be many of these, and looking at each would be expensive. `written`: the writes of these bytes that may be deleted.
 */
static bool finds_the_same(struct look *l, uint32_t i, const struct vec *written)
{
	const struct event *e = &node_at(l->s, i)->ev, *new = &node_at(l->s, l->n - 1)->ev;
	return l->fresh + 1 == l->n && follows_trace(l->s, e) && e->kind == EV_RMW && e->mode[0] == M_READ && e->obj[0] == new->obj[0] &&
	       e->obj[1] == new->obj[1] && e->span == new->span && bits_next(&l->s->core, written, 0) > i;
}

/*
 * Finds executed events that may have to come after a new one, except those that happen before it. They are independent of the new event,
 * so they must change.
 */
static bool find_recent(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->trust.scratch[SCRATCH_RECENT], *met = &s->trust.scratch[SCRATCH_HIT], *written = &s->trust.scratch[SCRATCH_KEPT];
	l->recent = 0;
	if (!bits_clear(&s->core, met, l->n) || !bits_clear(&s->core, written, l->n))
		return false;
	for (uint32_t k = l->fresh; k < l->n; k++) {
		struct sweep x = {.e = &node_at(s, k)->ev, .related = may_change_by, .below = l->fresh, .past = needed(l), .w = l->w};
		sweep(s, &x, met);
		x.related = is_overwritten_by;
		if (bits_next(&s->core, met, 0) != NO_INDEX)
			sweep(s, &x, written);
	}
	for (uint32_t i = bits_next(&s->core, met, 0); i != NO_INDEX; i = bits_next(&s->core, met, i + 1)) {
		const struct node *n = node_at(s, i);
		uint32_t upto, k = 0;
		bool others = next_alternative(s, n, &k) != NULL;
		if (mark_at(s, i)->flagged || !n->choice_n || (!others && finds_the_same(l, i, written)))
			continue;
		const uint32_t *past = past_behind(l, n->thread_prev);
		upto = past ? outcome_limit(l, &n->ev, i, past) : NO_INDEX;
		if (!upto && !others)
			continue;
		if (!vec_reserve(&s->core, v, l->recent + 1, sizeof(struct recent)))
			return false;
		v->n = l->recent + 1;
		*recent_at(l, l->recent++) = (struct recent){i, upto};
		add_places(l, &n->ev, past, upto < i ? upto : i);
		k = 0;
		for (const struct event *e; (e = next_alternative(s, n, &k));)
			add_places(l, e, past, i);
	}
	return true;
}

/* Finds events whose operation has another alternative that may have to come after a new event. */
static void find_own(struct look *l)
{
	struct search *s = l->s;
	for (uint32_t at = choosy_before(s, l->n); at; at = choosy_before(s, at - 1)) {
		const struct node *n = node_at(s, at - 1);
		uint32_t k = 0;
		bool meets = false;
		for (const struct event *e; !meets && (e = next_alternative(s, n, &k));)
			meets = meets_new(l, e);
		if (meets)
			bits_set(&s->core, &s->trust.scratch[SCRATCH_PLACES], at - 1);
	}
}

bool look_at_graph(struct look *l)
{
	struct search *s = l->s;
	struct vec *places = &s->trust.scratch[SCRATCH_PLACES];
	if (!find_stays(l) || !find_needed(l) || !bits_clear(&s->core, places, l->n) || !find_pending(l) || !find_recent(l))
		return false;
	find_own(l);
	bits_set(&s->core, places, l->n - 1);
	return !s->core.failed;
}

bool look_at_death(struct look *l)
{
	struct search *s = l->s;
	struct vec *places = &s->trust.scratch[SCRATCH_PLACES];
	if (!find_stays(l) || !bits_clear(&s->core, places, l->n))
		return false;
	for (uint32_t k = 0; k < l->w; k++) { /* nothing comes after it in its thread */
		uint32_t last = line_before(s, k, l->n - 2);
		if (last)
			bits_set(&s->core, places, line_event(s, k, last));
	}
	return true;
}

/* ---- candidates ---- */

static void add_candidate(struct look *l, const struct candidate *c, bool newly)
{
	const struct node *a = node_at(l->s, l->a);
	if (!c->own && (c->ev.thread == a->ev.thread || (c->before && happens_before(l->s, l->a, c->before - 1))))
		return;
	if (!c->own && !a->deadly && (!may_conflict(&c->ev, &a->ev) || (l->a >= c->upto && l->a + 1 != l->n)))
		return;
	struct candidate *x = vec_push(&l->s->core, &l->s->trust.scratch[SCRATCH_CANDIDATES], sizeof *x);
	if (!x)
		return;
	*x = *c;
	x->newly = newly;
	l->candidates++;
}

/* Adds event i of H, which would be deleted and executed again. */
static void add_executed(struct look *l, uint32_t i, uint32_t upto, bool newly)
{
	const struct node *n = node_at(l->s, i);
	uint32_t k = 0;
	if (i <= l->a || mark_at(l->s, i)->flagged || n->choice_n == 0)
		return;
	struct candidate c = {.ev = n->ev, .at = i, .before = n->thread_prev, .upto = upto};
	add_candidate(l, &c, newly);
	c.upto = NO_INDEX;
	for (const struct event *e; (e = next_alternative(l->s, n, &k));) {
		c.ev = *e;
		add_candidate(l, &c, newly);
	}
}

/* Returns whether the alternative is in the list already: each POKE of the thread records it again. */
static bool is_candidate(struct look *l, const struct event *e)
{
	for (uint32_t k = 0; k < l->candidates; k++) {
		const struct candidate *x = candidate_at(l, k);
		if (x->at == NO_INDEX && x->ev.thread == e->thread && x->ev.alt == e->alt)
			return true;
	}
	return false;
}

/* Adds the other alternatives of what thread t, whose latest event is before - 1, would do next, as recorded after event i. */
static void add_others(struct look *l, thread_id t, uint32_t i, uint32_t before, bool newly)
{
	const struct mark *m = mark_at(l->s, i);
	const struct event *e = others_of(l->s, m);
	bool all = l->a + 1 == l->n;
	for (uint32_t k = 0; k < m->other_n; k++)
		if (e[k].thread == t && newly == (all || is_new(l, before, &e[k])) && !is_candidate(l, &e[k]))
			add_candidate(l, &(struct candidate){.ev = e[k], .at = NO_INDEX, .before = before, .upto = NO_INDEX}, newly);
}

static void add_pending(struct look *l, bool newly)
{
	struct search *s = l->s;
	const struct node *a = node_at(s, l->a);
	bool all = l->a + 1 == l->n;
	for (uint32_t k = 0; k < l->w; k++) {
		const struct candidate *c = (struct candidate *)vec_data(&s->core, &s->trust.scratch[SCRATCH_PENDING]) + k;
		const struct slot *x = (struct slot *)vec_data(&s->core, &s->trace.slots) + k;
		if (c->ev.kind != EV_NONE && newly == (all || c->newly))
			add_candidate(l, c, newly);
		if (!l->others)
			continue;
		if (c->before)
			add_others(l, x->thread, c->before - 1, c->before, newly);
		for (uint32_t poke = x->last_poke; poke > c->before; poke = node_at(s, poke - 1)->poke_prev)
			add_others(l, x->thread, poke - 1, c->before, newly);
	}
	uint32_t k = 0;
	for (const struct event *e; (e = next_alternative(s, a, &k));) {
		struct candidate c = {.ev = *e, .at = NO_INDEX, .upto = NO_INDEX, .own = 1};
		if (newly == (all || meets_new(l, &c.ev)))
			add_candidate(l, &c, newly);
	}
}

static bool is_recent(struct look *l, uint32_t i)
{
	for (uint32_t k = 0; k < l->recent; k++)
		if (recent_at(l, k)->at == i)
			return true;
	return false;
}

static bool conflicts_with(const struct event *a, const struct event *f)
{
	return may_conflict(f, a);
}

/* Finds executed events after a that need not stay and that may conflict with a, themselves or in another alternative. */
static bool find_executed(struct look *l, struct vec *set)
{
	struct search *s = l->s;
	struct sweep x = {.e = &node_at(s, l->a)->ev, .related = conflicts_with, .above = l->a + 1, .below = l->n, .past = needed(l), .w = l->w};
	if (!bits_clear(&s->core, set, l->n))
		return false;
	sweep(s, &x, set);
	for (uint32_t at = choosy_before(s, l->n); at > l->a + 1; at = choosy_before(s, at - 1))
		if (!clock_covers(s, needed(l), l->w, at - 1))
			bits_set(&s->core, set, at - 1);
	return true;
}

bool find_candidates(struct look *l)
{
	struct search *s = l->s;
	struct vec *set = &s->trust.scratch[SCRATCH_HIT];
	s->trust.scratch[SCRATCH_CANDIDATES].n = 0;
	l->candidates = 0;
	add_pending(l, true);
	for (uint32_t k = 0; k < l->recent; k++)
		add_executed(l, recent_at(l, k)->at, recent_at(l, k)->upto, true);
	if (!l->candidates)
		return !s->core.failed;
	add_pending(l, false);
	if (l->a + 1 == l->n || !find_executed(l, set))
		return !s->core.failed;
	for (uint32_t i = bits_next(&s->core, set, l->a + 1); i != NO_INDEX; i = bits_next(&s->core, set, i + 1)) {
		const struct node *n = node_at(s, i);
		if (is_recent(l, i))
			continue;
		const uint32_t *past = changeable(&n->ev) ? past_behind(l, n->thread_prev) : NULL;
		add_executed(l, i, past ? outcome_limit(l, &n->ev, i, past) : NO_INDEX, false);
	}
	return !s->core.failed;
}
