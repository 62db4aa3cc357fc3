/*
 * Which backward revisits a graph allows: see trust.h and trust.md.
 *
 * From the graph H of all nodes, event `a` gives way to events F, pending in H or executed after a: the next graph is Y.W.F, with
 * Y = what was added before a, and W = events of H after a that are independent of it and happen before F. Every way to do it is a
 * graph of its own. H must be the first graph on its path that holds Y, a and W (otherwise an earlier one did the same), and
 * nothing may be deleted that an earlier revisit brought about.
 */
#include "explore/trust.h"

#include <string.h>

#include "explore/feasible.h"
#include "explore/vclock.h"

/* A choice that could be one of F. */
struct candidate {
	struct event ev;   /* as it was announced, or executed */
	uint32_t at;       /* its index in H; NO_INDEX: pending */
	uint32_t before;   /* index + 1 of what precedes it in program order; 0 nothing */
	uint8_t newly;     /* it or what comes before it may owe something to the events added last */
	uint8_t own;       /* another alternative of a's own operation */
	uint8_t pad_[2];
};

/* What is being looked at. */
struct look {
	struct search *s;
	const struct await_table *await;
	uint32_t n, fresh, a; /* nodes; those from `fresh` on are new; index of a */
	uint32_t recent;  /* how many in SCRATCH_RECENT */
	uint32_t awake;   /* how many in SCRATCH_AWAKE: slots of threads whose next operation may be a new candidate */
	uint32_t candidates, company, w; /* how many: F's candidates; W's that must be named; slots */
	struct cursor *c;
};

static struct candidate *candidate_at(struct look *l, uint32_t k)
{
	return (struct candidate *)vec_data(l->s, &l->s->scratch[SCRATCH_CANDIDATES]) + k;
}

static uint32_t *picks(struct look *l)
{
	return (uint32_t *)vec_data(l->s, &l->s->picks) + l->c->at;
}

static uint8_t *kept(struct look *l)
{
	return vec_data(l->s, &l->s->scratch[SCRATCH_KEPT]);
}

/* ---- candidates ---- */

/* What thread t would do next in H; kind EV_NONE: nothing. */
static struct event pending_of(struct search *s, thread_id t)
{
	uint32_t last = thread_last(s, t);
	struct event e = {0};
	if (!last)
		return t == s->first_pending.thread ? s->first_pending : e;
	if (node_at(s, last - 1)->ev.thread == t)
		return mark_at(s, last - 1)->pending;
	e.kind = EV_THREAD_START;
	e.thread = t;
	return e;
}

/* Has the event after `before` in program order a new one in its thread's past? */
static bool past_is_new(struct look *l, uint32_t before)
{
	for (uint32_t k = l->fresh; before && k < l->n; k++)
		if (happens_before(l->s, k, before - 1))
			return true;
	return false;
}

/* May a new event have to come before e? */
static bool meets_new(struct look *l, const struct event *e)
{
	for (uint32_t k = l->fresh; k < l->n; k++)
		if (may_conflict(e, &node_at(l->s, k)->ev))
			return true;
	return false;
}

static void add_candidate(struct look *l, const struct candidate *c)
{
	const struct node *a = node_at(l->s, l->a);
	if (!c->own && (c->ev.thread == a->ev.thread || (c->before && happens_before(l->s, l->a, c->before - 1))))
		return;
	if (!c->own && !a->deadly && !may_conflict(&c->ev, &a->ev))
		return;
	struct candidate *x = vec_push(l->s, &l->s->scratch[SCRATCH_CANDIDATES], sizeof *x);
	if (x)
		*x = *c;
	l->candidates += x != NULL;
}

/* Event i of H, which would be deleted and done again. */
static void add_executed(struct look *l, uint32_t i, bool newly)
{
	const struct node *n = node_at(l->s, i);
	if (i <= l->a || mark_at(l->s, i)->flagged || n->choice_n == 0)
		return;
	struct candidate c = {.ev = n->ev, .at = i, .before = n->thread_prev, .newly = newly};
	add_candidate(l, &c);
	for (uint32_t k = 0; k < n->choice_n + n->blocked_n; k++) {
		c.ev = ((struct event *)vec_data(l->s, &l->s->choices))[n->choice_at + k];
		if (c.ev.thread == n->ev.thread && c.ev.alt != n->ev.alt)
			add_candidate(l, &c);
	}
}

/* Other alternatives of what thread t would do next, as noted after event i. */
static void add_others(struct look *l, thread_id t, uint32_t i, struct candidate *c, bool newly)
{
	const struct mark *m = mark_at(l->s, i);
	bool all = l->a + 1 == l->n;
	for (uint32_t k = 0; k < m->others; k++) {
		c->ev = m->other[k];
		if (c->ev.thread == t && newly == (all || past_is_new(l, c->before) || meets_new(l, &c->ev)))
			add_candidate(l, c);
	}
}

static bool recent(struct look *l, uint32_t i)
{
	const uint32_t *r = vec_data(l->s, &l->s->scratch[SCRATCH_RECENT]);
	for (uint32_t k = 0; k < l->recent; k++)
		if (r[k] == i)
			return true;
	return false;
}

static void add_pending_of(struct look *l, uint32_t slot, bool newly)
{
	struct search *s = l->s;
	bool all = l->a + 1 == l->n;
	struct candidate c = {.at = NO_INDEX, .newly = newly};
	thread_id t = ((struct slot *)vec_data(s, &s->slots))[slot].thread;
	c.ev = pending_of(s, t);
	c.before = thread_last(s, t);
	if (c.ev.kind != EV_NONE && newly == (all || past_is_new(l, c.before) || meets_new(l, &c.ev)))
		add_candidate(l, &c);
	if (c.before)
		add_others(l, t, c.before - 1, &c, newly);
	uint32_t poke = ((struct slot *)vec_data(s, &s->slots))[slot].last_poke;
	for (; poke > c.before; poke = node_at(s, poke - 1)->poke_prev)
		add_others(l, t, poke - 1, &c, newly);
}

static void add_pending(struct look *l, bool newly)
{
	struct search *s = l->s;
	const struct node *a = node_at(s, l->a);
	bool all = l->a + 1 == l->n;
	bool few = newly && !all;
	for (uint32_t k = 0; k < (few ? l->awake : s->slots.n); k++)
		add_pending_of(l, few ? ((uint32_t *)vec_data(s, &s->scratch[SCRATCH_AWAKE]))[k] : k, newly);
	for (uint32_t k = 0; k < a->choice_n + a->blocked_n; k++) {
		struct candidate c = {.at = NO_INDEX, .newly = newly, .own = 1};
		c.ev = ((struct event *)vec_data(s, &s->choices))[a->choice_at + k];
		if (c.ev.thread == a->ev.thread && c.ev.alt != a->ev.alt && newly == (all || meets_new(l, &c.ev)))
			add_candidate(l, &c);
	}
}

/* What may be in F, those first of which one must be. */
static bool find_candidates(struct look *l)
{
	struct search *s = l->s;
	s->scratch[SCRATCH_CANDIDATES].n = 0;
	l->candidates = 0;
	add_pending(l, true);
	for (uint32_t k = 0; k < l->recent; k++)
		add_executed(l, ((uint32_t *)vec_data(s, &s->scratch[SCRATCH_RECENT]))[k], true);
	if (!l->candidates)
		return !s->failed;
	add_pending(l, false);
	for (uint32_t i = l->a + 1; i < l->n; i++)
		if (!recent(l, i))
			add_executed(l, i, false);
	return !s->failed;
}

/* Threads whose next operation may be a candidate because of what is new, or has alternatives that may. */
static bool find_awake(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->scratch[SCRATCH_AWAKE];
	l->awake = 0;
	if (!vec_reserve(s, v, s->slots.n, sizeof(uint32_t)))
		return false;
	for (uint32_t k = 0; k < s->slots.n; k++) {
		const struct slot *x = (struct slot *)vec_data(s, &s->slots) + k;
		uint32_t before = thread_last(s, x->thread);
		struct event e = pending_of(s, x->thread);
		bool others = x->last_poke > before || (before && mark_at(s, before - 1)->others);
		if (others || (e.kind != EV_NONE && (past_is_new(l, before) || meets_new(l, &e))))
			((uint32_t *)vec_data(s, v))[l->awake++] = k;
	}
	return true;
}

/* Joins the clocks of all flagged events: what it covers happens before one of them, or is one. */
static bool find_staying(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->scratch[SCRATCH_STAYING];
	if (!vec_reserve(s, v, l->w, sizeof(uint32_t)))
		return false;
	uint32_t *c = vec_data(s, v);
	memset(c, 0, l->w * sizeof *c);
	for (uint32_t i = l->n; i-- > 0;)
		if (mark_at(s, i)->flagged && !clock_covers(s, c, l->w, i))
			clock_join(s, c, i);
	return true;
}

/* Executed events that may have to come after a new one. */
static bool find_recent(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->scratch[SCRATCH_RECENT];
	l->recent = 0;
	if (!vec_reserve(s, v, l->n, sizeof(uint32_t)))
		return false;
	for (uint32_t i = 0; i < l->n; i++)
		if (!mark_at(s, i)->flagged && (past_is_new(l, node_at(s, i)->thread_prev) || meets_new(l, &node_at(s, i)->ev)))
			((uint32_t *)vec_data(s, v))[l->recent++] = i;
	return true;
}

/* ---- sets, in the order of a depth-first search ---- */

typedef bool (*may_add)(struct look *l, const uint32_t *set, uint32_t n, uint32_t k);

/* The next set after the one of *n numbers below `cap`; false: none. The empty set counts as the first. */
static bool next_set(struct look *l, uint32_t *set, uint32_t *n, uint32_t cap, may_add ok)
{
	uint32_t k = *n ? set[*n - 1] + 1 : 0;
	for (;;) {
		for (; k < cap; k++)
			if (ok(l, set, *n, k)) {
				set[(*n)++] = k;
				return true;
			}
		if (!*n)
			return false;
		k = set[--*n] + 1;
	}
}

/* F: of different threads, independent of one another as far as that can be told yet. */
static bool may_join(struct look *l, const uint32_t *set, uint32_t n, uint32_t k)
{
	const struct candidate *x = candidate_at(l, k);
	if (n == 0)
		return x->newly;
	if (x->own || candidate_at(l, set[0])->own)
		return false;
	for (uint32_t m = 0; m < n; m++) {
		const struct candidate *y = candidate_at(l, set[m]);
		bool sure = !changeable(&x->ev) && !changeable(&y->ev);
		if (x->ev.thread == y->ev.thread || (sure && events_dependent(&x->ev, &y->ev)))
			return false;
	}
	return true;
}

static uint32_t company_at(struct look *l, uint32_t k)
{
	return ((uint32_t *)vec_data(l->s, &l->s->scratch[SCRATCH_COMPANY]))[k];
}

/* W: an event comes with those before it. */
static bool may_accompany(struct look *l, const uint32_t *set, uint32_t n, uint32_t k)
{
	for (uint32_t m = 0, i = 0; m < k; m++) {
		while (i < n && set[i] < m)
			i++;
		bool chosen = i < n && set[i] == m;
		if (!chosen && happens_before(l->s, company_at(l, m), company_at(l, k)))
			return false;
	}
	return true;
}

/* ---- W ---- */

/* Marks what is kept for the set F, and the events of W named so far; the clock that says so in SCRATCH_COVER. */
static bool keep(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->scratch[SCRATCH_COVER], *kv = &s->scratch[SCRATCH_KEPT];
	if (!vec_reserve(s, v, l->w, sizeof(uint32_t)) || !vec_reserve(s, kv, l->n - l->a, 1))
		return false;
	uint32_t *cover = vec_data(s, v);
	const uint32_t *p = picks(l);
	uint8_t *k = kept(l);
	s->scratch[SCRATCH_KEPT].n = l->n - l->a;
	memset(cover, 0, l->w * sizeof *cover);
	for (uint32_t m = 0; m < l->c->f; m++) {
		const struct candidate *x = candidate_at(l, p[m]);
		if (x->before)
			clock_join(s, cover, x->before - 1);
	}
	for (uint32_t m = 0; m < l->c->w; m++)
		clock_join(s, cover, company_at(l, p[l->c->f + m]));
	for (uint32_t i = l->a; i < l->n; i++)
		k[i - l->a] = i != l->a && clock_covers(s, cover, l->w, i);
	return true;
}

/* Events that are independent of a, not kept for F's threads, and may have to come before F. */
static bool find_company(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->scratch[SCRATCH_COMPANY];
	l->company = 0;
	l->c->w = 0;
	if (!keep(l) || !vec_reserve(s, v, l->n - l->a, sizeof(uint32_t)))
		return false;
	const uint32_t *p = picks(l);
	for (uint32_t i = l->a + 1; i < l->n; i++) {
		if (kept(l)[i - l->a] || happens_before(s, l->a, i))
			continue;
		bool meets = false, of_f = false;
		for (uint32_t m = 0; m < l->c->f; m++) {
			of_f |= candidate_at(l, p[m])->at == i || candidate_at(l, p[m])->ev.thread == node_at(s, i)->ev.thread;
			meets |= may_conflict(&candidate_at(l, p[m])->ev, &node_at(s, i)->ev);
		}
		meets &= !of_f;
		if (meets)
			((uint32_t *)vec_data(s, v))[l->company++] = i;
	}
	return true;
}

/* ---- the check ---- */

/* Is H the first graph that holds Y, a and W, and is nothing deleted that must stay? */
static bool canonical(struct look *l)
{
	const uint32_t *p = picks(l);
	for (uint32_t m = 0; m < l->c->f; m++) /* an event of F must not come before another one */
		if (candidate_at(l, p[m])->at != NO_INDEX && kept(l)[candidate_at(l, p[m])->at - l->a])
			return false;
	bool fresh = l->a + 1 == l->n;
	for (uint32_t i = l->a + 1; i < l->n; i++) {
		bool k = kept(l)[i - l->a];
		fresh |= k && i >= l->fresh;
		if (k ? node_at(l->s, i)->deadly : mark_at(l->s, i)->flagged)
			return false;
	}
	return fresh;
}

/* Is each event of W that was named before one of F, or of those that F's threads need? */
static bool company_needed(struct look *l, const struct planned *f, bool joint)
{
	struct search *s = l->s;
	const uint32_t *p = picks(l);
	for (uint32_t m = 0; m < l->c->w; m++) {
		uint32_t x = company_at(l, p[l->c->f + m]);
		bool needed = false;
		for (uint32_t k = 0; k < l->c->f && !needed; k++)
			needed = events_dependent(&f[k].ev, &node_at(s, x)->ev) ||
				 (joint && node_at(s, x)->ev.mode[0] == M_ARRIVE && node_at(s, x)->ev.obj[0] == f[k].ev.obj[0]);
		for (uint32_t k = m + 1; k < l->c->w && !needed; k++)
			needed = happens_before(s, x, company_at(l, p[l->c->f + k]));
		if (!needed)
			return false;
	}
	return true;
}

/* The events of F as they would be after what is kept; false when they are none that a must give way to. */
static bool make_f(struct look *l, struct planned *f, bool *joint, uint32_t *doubt)
{
	struct search *s = l->s;
	const struct node *a = node_at(s, l->a);
	struct cut c = {.self = NO_INDEX, .await = l->await, .kept = kept(l), .from = l->a};
	const uint32_t *p = picks(l);
	uint32_t doubtful = 0;
	*joint = false;
	for (uint32_t m = 0; m < l->c->f; m++) {
		const struct candidate *x = candidate_at(l, p[m]);
		bool unknown;
		f[m].ev = x->ev;
		c.self = x->at;
		foretell(s, &f[m].ev, &c, &unknown);
		doubtful |= (uint32_t)unknown << (m & 31);
		bool conflict = x->own || a->deadly || events_dependent(&f[m].ev, &a->ev);
		if (!conflict && l->c->f == 1 && completes_together(s, &f[m].ev, l->a, kept(l)))
			conflict = *joint = true;
		if (!conflict || !may_be_enabled(s, &f[m].ev, &a->ev, &c))
			return false;
		for (uint32_t k = 0; k < m; k++)
			if (!(doubtful >> (k & 31) & 1) && !(doubtful >> (m & 31) & 1) && events_dependent(&f[k].ev, &f[m].ev))
				return false; /* when in doubt it is seen where it is tried */
	}
	*doubt = doubtful;
	return company_needed(l, f, *joint);
}

static bool promises_hold(struct look *l, const struct planned *f)
{
	struct search *s = l->s;
	struct vec *v = &s->scratch[SCRATCH_CLOCK];
	if (!s->revisits.n)
		return true;
	if (!promises_kept(s, l->a, kept(l)) || !vec_reserve(s, v, l->w, sizeof(uint32_t)))
		return false;
	for (uint32_t i = l->a + 1; i < l->n; i++)
		if (kept(l)[i - l->a] && !promises_allow_node(s, i, l->a, kept(l)))
			return false;
	for (uint32_t m = 0; m < l->c->f; m++) {
		past_of_next(s, &f[m].ev, l->a, kept(l), vec_data(s, v), l->w);
		if (!promises_allow(s, &f[m].ev, vec_data(s, v), l->w, l->a, kept(l)))
			return false;
	}
	return true;
}

/* Was event i the only choice that its thread had? */
static bool alone(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i);
	uint32_t count = 0;
	for (uint32_t k = 0; k < n->choice_n + n->blocked_n; k++)
		count += ((struct event *)vec_data(s, &s->choices))[n->choice_at + k].thread == n->ev.thread;
	return count == 1;
}

/* Writes W and F into the plan when the sets that picks[] names make a revisit. */
static bool accept(struct look *l, struct revisit *out)
{
	struct search *s = l->s;
	if (!keep(l) || !canonical(l))
		return false;
	s->plan.n = 0;
	if (!vec_reserve(s, &s->plan, l->n - l->a + l->c->f, sizeof(struct planned)))
		return false;
	struct planned *plan = vec_data(s, &s->plan);
	bool joint;
	uint32_t w = 0, doubt;
	for (uint32_t i = l->a + 1; i < l->n; i++)
		if (kept(l)[i - l->a]) {
			plan[w].at = i;
			plan[w].ev = node_at(s, i)->ev;
			memcpy(plan[w++].name, mark_at(s, i)->name, sizeof plan->name);
		}
	if (!make_f(l, plan + w, &joint, &doubt) || !promises_hold(l, plan + w))
		return false;
	s->plan.n = w + l->c->f;
	*out = (struct revisit){.a = node_at(s, l->a)->ev, .base = l->a, .w = w, .f = l->c->f,
		.deadly = node_at(s, l->a)->deadly, .joint = joint, .alone = alone(s, l->a), .doubtful = doubt};
	return true;
}

/* ---- the enumeration ---- */

/* The next sets F and W for this a; false: none left. */
static bool next_for(struct look *l, struct revisit *out)
{
	struct cursor *c = l->c;
	struct search *s = l->s;
	bool resumed = c->f != 0;
	uint32_t chosen = c->w;
	if (!find_candidates(l) || !l->candidates)
		return false;
	if (!vec_reserve(s, &s->picks, c->at + l->candidates + l->n - l->a, sizeof(uint32_t)))
		return false;
	s->picks.n = c->at + l->candidates + l->n - l->a;
	if (resumed) {
		if (!find_company(l))
			return false;
		c->w = chosen;
	}
	for (;;) {
		while (c->f && next_set(l, picks(l) + c->f, &c->w, l->company, may_accompany))
			if (accept(l, out))
				return true;
		if (!next_set(l, picks(l), &c->f, l->candidates, may_join) || !find_company(l))
			return false;
		if (accept(l, out))
			return true;
	}
}

/* a may give way at all: nothing that must stay happens after it. */
static bool deletable(struct look *l)
{
	struct search *s = l->s;
	return node_at(s, l->a)->choice_n && !clock_covers(s, vec_data(s, &s->scratch[SCRATCH_STAYING]), l->w, l->a);
}

static bool may_give_way(struct look *l)
{
	struct search *s = l->s;
	if (!deletable(l))
		return false;
	/* when all that is new goes with it, it was done before */
	for (uint32_t i = l->fresh; i < l->n; i++)
		if (i == l->a || !happens_before(s, l->a, i))
			return true;
	return false;
}

/* The graph ends in a death that event n - 2 brought about: it comes without `a`, too, if nothing that happened needed a. */
static bool next_by_death(struct look *l, struct revisit *out)
{
	struct search *s = l->s;
	uint32_t f = l->n - 2;
	if (l->a >= f || !deletable(l) || happens_before(s, l->a, f))
		return false;
	for (uint32_t i = l->a + 1; i < f; i++)
		if (happens_before(s, l->a, i))
			return false;
	s->plan.n = 0;
	if (!vec_reserve(s, &s->plan, f - l->a, sizeof(struct planned)))
		return false;
	for (uint32_t i = l->a + 1; i <= f; i++) {
		struct planned *p = vec_push(s, &s->plan, sizeof *p);
		p->at = i;
		p->ev = node_at(s, i)->ev;
		memcpy(p->name, mark_at(s, i)->name, sizeof p->name);
	}
	*out = (struct revisit){.a = node_at(s, l->a)->ev, .base = l->a, .w = f - l->a - 1, .f = 1, .by_death = 1};
	return true;
}

bool revisit_next(struct search *s, struct cursor *c, struct revisit *out, const struct await_table *await)
{
	struct look l = {.s = s, .await = await, .n = s->nodes.n, .w = s->slots.n, .c = c};
	bool death = node_at(s, l.n - 1)->choice_n == 0;
	l.fresh = mark_at(s, l.n - 1)->fresh;
	if ((death && l.n < 2) || !find_recent(&l) || !find_awake(&l) || !find_staying(&l))
		return false;
	if (!c->a) {
		*c = (struct cursor){.a = l.n, .at = s->picks.n};
	} else if (death) {
		c->a--;
	}
	for (; c->a && !s->failed; c->a--) {
		l.a = c->a - 1;
		if (death) {
			if (next_by_death(&l, out))
				return true;
			continue;
		}
		if (c->f || may_give_way(&l))
			if (next_for(&l, out))
				return true;
		c->f = c->w = 0;
	}
	s->picks.n = c->at;
	return false;
}
