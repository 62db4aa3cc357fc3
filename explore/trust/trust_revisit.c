/*
 * Which backward revisits a graph allows: see trust.h and trust.md.
 *
 * In the graph H of all nodes, event `a` gives way to events F, which are pending in H or were executed after a. The next graph is Y.W.F,
 * with Y = what was added before a, and W = the events of H after a that are independent of it and happen before F. Every choice of a, W
 * and F gives a different graph. H must be the first graph on its path that holds Y, a and W (otherwise an earlier one made the same
 * revisit), and nothing may be deleted that an earlier revisit brought about.
 */
#include "explore/trust/trust_look.h"

#include <string.h>

#include "explore/trace/thread_events.h"
#include "explore/trust/trust_sweep.h"

static uint32_t *picks(struct look *l)
{
	return (uint32_t *)vec_data(&l->s->core, &l->s->trust.picks) + l->c->at;
}

/* ---- sets, in the order of a depth-first search ---- */

typedef bool (*may_add)(struct look *l, const uint32_t *set, uint32_t n, uint32_t k);

/* Steps to the next set after the one of *n numbers below `cap`. Returns false when there is none. The empty set counts as the first. */
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

/* F: events of different threads, independent of one another as far as is already known. */
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
	return ((uint32_t *)vec_data(&l->s->core, &l->s->trust.scratch[SCRATCH_COMPANY]))[k];
}

/* W: a named event requires the earlier ones that happen before it. */
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

/* Computes what is kept for the set F and the events of W named so far, as a clock in SCRATCH_COVER. */
static bool find_kept(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->trust.scratch[SCRATCH_COVER];
	if (!vec_reserve(&s->core, v, l->w, sizeof(uint32_t)))
		return false;
	uint32_t *cover = vec_data(&s->core, v);
	const uint32_t *p = picks(l);
	memset(cover, 0, l->w * sizeof *cover);
	for (uint32_t m = 0; m < l->c->f; m++) {
		const struct candidate *x = candidate_at(l, p[m]);
		if (x->before)
			clock_join(s, cover, x->before - 1);
	}
	for (uint32_t m = 0; m < l->c->w; m++)
		clock_join(s, cover, company_at(l, p[l->c->f + m]));
	return true;
}

static struct left kept(struct look *l)
{
	return (struct left){.from = l->a, .upto = vec_data(&l->s->core, &l->s->trust.scratch[SCRATCH_COVER]), .w = l->w};
}

static bool is_kept(struct look *l, uint32_t i)
{
	return clock_covers(l->s, vec_data(&l->s->core, &l->s->trust.scratch[SCRATCH_COVER]), l->w, i);
}

/* Returns whether event i is in F or belongs to a thread of F. */
static bool is_of_f(struct look *l, uint32_t i)
{
	const uint32_t *p = picks(l);
	for (uint32_t m = 0; m < l->c->f; m++)
		if (candidate_at(l, p[m])->at == i || candidate_at(l, p[m])->ev.thread == node_at(l->s, i)->ev.thread)
			return true;
	return false;
}

/* Finds events that are independent of a, are not kept because of F's threads, and may have to come before F. */
static bool find_company(struct look *l)
{
	struct search *s = l->s;
	struct vec *v = &s->trust.scratch[SCRATCH_COMPANY], *met = &s->trust.scratch[SCRATCH_MET];
	l->company = 0;
	l->c->w = 0;
	if (l->a + 1 == l->n)
		return true;
	if (!find_kept(l) || !bits_clear(&s->core, met, l->n))
		return false;
	for (uint32_t m = 0; m < l->c->f; m++) {
		struct sweep x = {.e = &candidate_at(l, picks(l)[m])->ev, .related = may_conflict, .above = l->a + 1, .below = l->n,
			.past = kept(l).upto, .w = l->w};
		sweep(s, &x, met);
	}
	for (uint32_t i = bits_next(&s->core, met, l->a + 1); i != NO_INDEX; i = bits_next(&s->core, met, i + 1)) {
		if (happens_before(s, l->a, i) || is_of_f(l, i))
			continue;
		if (!vec_reserve(&s->core, v, l->company + 1, sizeof(uint32_t)))
			return false;
		v->n = l->company + 1;
		((uint32_t *)vec_data(&s->core, v))[l->company++] = i;
	}
	return true;
}

/* ---- the check ---- */

/* Returns whether H is the first graph that holds Y, a and W, and the revisit deletes nothing that must stay. */
static bool canonical(struct look *l)
{
	struct search *s = l->s;
	const uint32_t *p = picks(l), *stays = vec_data(&s->core, &s->trust.scratch[SCRATCH_STAYS]), *cover = kept(l).upto;
	if (l->a + 1 == l->n)
		return true;
	for (uint32_t m = 0; m < l->c->f; m++) /* an event of F must not come before another one */
		if (candidate_at(l, p[m])->at != NO_INDEX && is_kept(l, candidate_at(l, p[m])->at))
			return false;
	for (uint32_t k = 0; k < l->w; k++)
		if (stays[k] > cover[k] && line_event(s, k, stays[k]) > l->a)
			return false;
	if (node_at(s, l->n - 1)->deadly && is_kept(l, l->n - 1))
		return false;
	for (uint32_t i = l->fresh; i < l->n; i++)
		if (is_kept(l, i))
			return true;
	return false;
}

/* Returns whether each named event of W comes before an event of F, or before what F's threads need. */
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

/* Computes the events of F as they would be after what is kept. Returns false when a need not give way to them, or some cannot be
   performed. */
static bool make_f(struct look *l, struct planned *f, bool *joint, uint32_t *doubt)
{
	struct search *s = l->s;
	const struct node *a = node_at(s, l->a);
	const struct left left = kept(l);
	struct cut c = {.self = NO_INDEX, .await = l->await, .upto = left.upto, .upto_w = left.w, .from = left.from};
	const uint32_t *p = picks(l);
	uint32_t doubtful = 0;
	*joint = false;
	for (uint32_t m = 0; m < l->c->f; m++) {
		const struct candidate *x = candidate_at(l, p[m]);
		bool unknown;
		f[m].ev = x->ev;
		f[m].at = x->at;
		c.self = x->at;
		foretell(s, &f[m].ev, &c, &unknown);
		doubtful |= (uint32_t)unknown << (m & 31);
		bool conflict = x->own || a->deadly || events_dependent(&f[m].ev, &a->ev);
		if (!conflict && l->c->f == 1 && completes_together(s, &f[m].ev, l->a, &left))
			conflict = *joint = true;
		if (!conflict || !may_be_enabled(s, &f[m].ev, &a->ev, &c))
			return false;
		for (uint32_t k = 0; k < m; k++)
			if (!(doubtful >> (k & 31) & 1) && !(doubtful >> (m & 31) & 1) && events_dependent(&f[k].ev, &f[m].ev))
				return false; /* if in doubt, the execution decides */
	}
	*doubt = doubtful;
	return company_needed(l, f, *joint);
}

/* The events of W, as a set. */
static bool find_w(struct look *l, struct vec *set)
{
	struct search *s = l->s;
	const uint32_t *cover = kept(l).upto;
	if (!bits_clear(&s->core, set, l->n))
		return false;
	for (uint32_t k = 0; k < l->w; k++)
		for (uint32_t m = cover[k]; m && line_event(s, k, m) > l->a; m--)
			bits_set(&s->core, set, line_event(s, k, m));
	return true;
}

/* Computes in SCRATCH_PASTS what happens before each event of F. */
static bool find_pasts(struct look *l, const struct planned *f)
{
	struct search *s = l->s;
	struct vec *v = &s->trust.scratch[SCRATCH_PASTS];
	const struct left left = kept(l);
	if (!vec_reserve(&s->core, v, l->w * l->c->f, sizeof(uint32_t)))
		return false;
	for (uint32_t m = 0; m < l->c->f; m++)
		past_of_next(s, &f[m].ev, &left, (uint32_t *)vec_data(&s->core, v) + m * l->w, l->w);
	return true;
}

static bool promises_hold(struct look *l, const struct planned *f, const struct vec *w)
{
	struct search *s = l->s;
	const struct left left = kept(l);
	if (!s->trust.revisits.n)
		return true;
	if (!promises_kept(s, &left))
		return false;
	for (uint32_t i = bits_next(&s->core, w, l->a); i != NO_INDEX; i = bits_next(&s->core, w, i + 1))
		if (!promises_allow_node(s, i, &left))
			return false;
	for (uint32_t m = 0; m < l->c->f; m++)
		if (!promises_allow(s, &f[m].ev, NULL, 0, &left))
			return false;
	return true;
}

/* Returns whether no graph below it is within the bound on preemptions. */
static bool beyond_bound(struct look *l, const struct planned *f, uint32_t n)
{
	struct search *s = l->s;
	bool out = bound_exceeded(s, f, n, vec_data(&s->core, &s->trust.scratch[SCRATCH_PASTS]),
		vec_data(&s->core, &s->trust.scratch[SCRATCH_STAYS]), l->w, l->await);
	s->core.stats.bounded_out += out;
	return out;
}

static void plan_node(struct search *s, uint32_t i)
{
	struct planned *p = vec_push(&s->core, &s->trust.plan, sizeof *p);
	if (!p)
		return;
	p->at = i;
	p->ev = node_at(s, i)->ev;
	memcpy(p->name, mark_at(s, i)->name, sizeof p->name);
}

/* Writes W and F into the plan if the sets that picks[] names make a revisit. */
static bool accept(struct look *l, struct revisit *out)
{
	struct search *s = l->s;
	struct vec *w = &s->trust.scratch[SCRATCH_KEPT], *v = &s->trust.scratch[SCRATCH_F];
	bool joint;
	uint32_t doubt;
	s->trace.work += 8;
	if (!find_kept(l) || !canonical(l) || !vec_reserve(&s->core, v, l->c->f, sizeof(struct planned)))
		return false;
	struct planned *f = vec_data(&s->core, v);
	if (!make_f(l, f, &joint, &doubt) || !find_w(l, w) || !promises_hold(l, f, w))
		return false;
	if (s->core.config.bounded && !doubt && (!find_pasts(l, f) || beyond_bound(l, f, l->c->f)))
		return false;
	s->trust.plan.n = 0;
	for (uint32_t i = bits_next(&s->core, w, l->a); i != NO_INDEX; i = bits_next(&s->core, w, i + 1))
		plan_node(s, i);
	uint32_t n = s->trust.plan.n;
	for (uint32_t m = 0; m < l->c->f; m++) {
		struct planned *p = vec_push(&s->core, &s->trust.plan, sizeof *p);
		if (p)
			*p = f[m];
	}
	*out = (struct revisit){.a = node_at(s, l->a)->ev, .base = l->a, .w = n, .f = l->c->f,
		.deadly = node_at(s, l->a)->deadly, .joint = joint, .alone = alone(s, l->a, node_at(s, l->a)->ev.thread), .doubtful = doubt};
	return !s->core.failed;
}

/* ---- the enumeration ---- */

/* Finds the next sets F and W for this a. Returns false when none is left. */
static bool next_for(struct look *l, struct revisit *out)
{
	struct cursor *c = l->c;
	struct search *s = l->s;
	bool resumed = c->f != 0;
	uint32_t chosen = c->w;
	if (!find_candidates(l) || !l->candidates)
		return false;
	if (!vec_reserve(&s->core, &s->trust.picks, c->at + l->candidates + l->n - l->a, sizeof(uint32_t)))
		return false;
	s->trust.picks.n = c->at + l->candidates + l->n - l->a;
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

/* Returns whether a may give way at all: it must be a picked event, not flagged, and nothing that must stay may happen after it. Nothing
   comes instead of a late exit. */
static bool deletable(struct look *l)
{
	return !event_exits_late(&node_at(l->s, l->a)->ev) && !mark_at(l->s, l->a)->flagged && node_at(l->s, l->a)->choice_n && !must_stay(l, l->a);
}

/* Revisits of a graph that ends in a death caused by event n - 2. The death happens without `a` too if nothing that happened needs a. */
static bool next_by_death(struct look *l, struct revisit *out)
{
	struct search *s = l->s;
	uint32_t f = l->n - 2;
	if (!deletable(l) || happens_before(s, l->a, f))
		return false;
	for (uint32_t k = 0; k < l->w; k++) {
		uint32_t last = line_before(s, k, f);
		if (last && line_event(s, k, last) > l->a && happens_before(s, l->a, line_event(s, k, last)))
			return false;
	}
	struct vec *v = &s->trust.scratch[SCRATCH_PASTS];
	struct planned died = {.ev = node_at(s, f)->ev, .at = f};
	if (!vec_reserve(&s->core, v, l->w, sizeof(uint32_t)))
		return false;
	memset(vec_data(&s->core, v), 0, l->w * sizeof(uint32_t));
	clock_join(s, vec_data(&s->core, v), f);
	((uint32_t *)vec_data(&s->core, v))[node_at(s, f)->slot]--;
	if (s->core.config.bounded && beyond_bound(l, &died, 1))
		return false;
	s->trust.plan.n = 0;
	for (uint32_t i = l->a + 1; i <= f; i++)
		plan_node(s, i);
	*out = (struct revisit){.a = node_at(s, l->a)->ev, .base = l->a, .w = f - l->a - 1, .f = 1, .by_death = 1};
	return !s->core.failed;
}

bool revisit_next(struct search *s, struct cursor *c, struct revisit *out, const struct await_table *await)
{
	struct look l = {.s = s, .await = await, .n = s->trace.nodes.n, .w = s->trace.slots.n, .c = c};
	bool death = node_at(s, l.n - 1)->choice_n == 0;
	l.fresh = mark_at(s, l.n - 1)->fresh;
	s->trace.work += l.w + 8;
	if ((death && l.n < 2) || !lines_extend(s) || !(death ? look_at_death(&l) : look_at_graph(&l)))
		return false;
	if (!c->a)
		*c = (struct cursor){.a = l.n, .at = s->trust.picks.n};
	else if (death)
		c->a--;
	for (; c->a && !s->core.failed; c->a--) {
		if (!c->f) {
			uint32_t next = bits_before(&s->core, &s->trust.scratch[SCRATCH_PLACES], c->a);
			if (next == NO_INDEX)
				break;
			c->a = next + 1;
		}
		l.a = c->a - 1;
		if (death ? next_by_death(&l, out) : (c->f || deletable(&l)) && next_for(&l, out))
			return true;
		c->f = c->w = 0;
	}
	s->trust.picks.n = c->at;
	return false;
}
