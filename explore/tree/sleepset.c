/* Sleep sets and weak initials: see sleepset.h. */
#include "explore/tree/sleepset.h"

#include "explore/trace/barrier.h"
#include "explore/trace/buffer.h"
#include "explore/trace/feasible.h"
#include "explore/trace/unit.h"
#include "explore/trace/vclock.h"
#include "explore/tree/wakeup.h"

static const struct forward nothing;

void sequence_depends(struct sequence *v, const struct event *q, const struct forward *f, uint32_t at)
{
	struct verdict *d = &v->verdict;
	bool last = at == v->n, lasts = !last || (d->last_stays && !(f && f->any)); /* forwarding ends somewhere in between */
	if (at == NO_INDEX || !lasts || barrier_arrives(q)) /* arrivals conflict by their number */
		d->until = NO_INDEX;
	else if (d->until != NO_INDEX && !last && d->until <= v->at[at])
		d->until = v->at[at] + 1;
}

/* Returns whether q is dependent with item k of v, an event of another thread. */
static bool conflicts(struct search *s, const struct event *q, const struct forward *f, const struct sequence *v,
	struct use use, uint32_t k)
{
	const struct event *x = sequence_event(s, v, k);
	struct forward of_x;
	if (events_apart(q, x) || !events_dependent(q, x))
		return false;
	if (!s->trace.buffered)
		return true;
	if (x->kind != EV_LOAD || q->kind == EV_LOAD)
		return buffer_dependent(q, f, x, &nothing);
	forward_in_sequence(s, v, k, use, &of_x);
	return buffer_dependent(q, f, x, &of_x);
}

/* The slots of which the cut may leave events from node `from` on, one bit each. 0: not known. An event that a cut takes out takes along the
   rest of its thread; that is not so with `kept`. */
static uint64_t slots_open(struct search *s, const struct cut *c, uint32_t from)
{
	return c->kept || s->trace.slots.n > 63 ? 0 : slots_from(s, from);
}

/* Returns an index >= i; no event in [i, index) can remain. If only one slot is open, this is the slot's next event, when a few steps find
   it. */
static uint32_t next_open(struct search *s, uint64_t open, uint32_t i)
{
	return open & (open - 1) ? i : slot_next(s, (uint32_t)__builtin_ctzll(open), i);
}

void sequence_add(struct search *s, struct sequence *v, const struct cut *c, uint32_t from, uint32_t to)
{
	uint32_t n = v->n, last = v->state[n];
	uint64_t open = slots_open(s, c, from);
	bool all = !open;
	for (uint32_t i = from; i < to && (all || open); i++) {
		bool left = !cut_removes(s, c, i);
		v->at[n] = i;
		v->state[n] = ITEM_LEFT;
		n += left;
		if (all)
			continue;
		if ((!left && i != c->self) || slot_ends(s, i))
			open &= ~(UINT64_C(1) << node_at(s, i)->slot);
		if (open)
			i = next_open(s, open, i + 1) - 1;
	}
	v->n = n;
	v->state[n] = last;
}

/* Adds the items of v->rest. Call it before examining a choice that is dependent with `last`, or may be: it needs all items. For other
   choices these items decide nothing, see struct verdict. */
static void sequence_complete(struct search *s, struct sequence *v)
{
	const struct cut *c = v->rest;
	v->rest = NULL;
	sequence_add(s, v, c, v->last_at + 1, s->trace.analysed);
}

/* Returns whether q certainly conflicts with `last`, whatever the items before `last` are that are not there yet. */
static bool meets_last(struct search *s, const struct event *q, const struct forward *f, const struct sequence *v, struct use use)
{
	if (!v->last || !item_used(v, v->n, use) || f->any || barrier_arrives(q))
		return false;
	return v->last->thread == q->thread || conflicts(s, q, f, v, use, v->n);
}

bool weak_initial(struct search *s, const struct event *q, const struct forward *f, bool deadly, struct sequence *v,
	struct use use, uint32_t *at)
{
	struct forward now;
	struct barrier_round round = {0};
	if (f && f->any) { /* it changes along v */
		now = *f;
		f = &now;
	} else {
		f = &nothing;
	}
	*at = NO_INDEX;
	for (uint32_t k = 0; k < sequence_length(v); k++) {
		if (k == v->n && v->rest && use.left && (deadly || !meets_last(s, q, f, v, use)))
			sequence_complete(s, v);
		if (!item_used(v, k, use))
			continue;
		const struct event *x = sequence_event(s, v, k);
		bool same = x->thread == q->thread;
		if (!same && !deadly && !f->any && events_apart(q, x))
			continue;
		if (same || deadly || conflicts(s, q, f, v, use, k) ||
			(barrier_arrives(q) && barrier_completes(s, q, v, use, k, &round))) {
			*at = k;
			return same && x->alt == q->alt;
		}
		if (f->any)
			forward_over(&now, q, x);
	}
	return true;
}

struct sleeper *sleepers(struct search *s, uint32_t i)
{
	return (struct sleeper *)vec_data(&s->core, &s->tree.sleeps) + node_at(s, i)->sleep_at;
}

/* Returns whether the sleeping event is still the same in the state of node i. It is if its independence was judged correctly; but an
   arrival at a barrier may have become the last one, or one of the next round. */
static bool unchanged(struct search *s, uint32_t i, const struct event *q)
{
	const struct node *n = node_at(s, i);
	const struct event *c = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at;
	for (uint32_t k = 0; k < n->choice_n; k++)
		if (c[k].thread == q->thread && c[k].alt == q->alt)
			return c[k].kind == q->kind && c[k].mode[0] == q->mode[0] && c[k].mode[1] == q->mode[1] &&
			       (q->mode[0] != M_MEET || c[k].seq == q->seq);
	return false;
}

bool sleeper_dependent(struct search *s, const struct sleeper *x, const struct event *e, const struct forward *f)
{
	if (!x->part)
		return buffer_dependent(&x->ev, &x->forward, e, f);
	struct event part = x->ev;
	objects_named(&s->core, &part, x->name);
	return buffer_dependent(&part, &nothing, e, f) || (barrier_arrives(&part) && e->obj[0] == part.obj[0]);
}

bool sleepset_inherit(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	n->sleep_at = s->tree.sleeps.n;
	n->sleep_n = 0;
	if (i == 0 || (n->interrupted && unit_is_felt(s, unit_first(s, i - 1), i)))
		return true; /* it is not known here what would let the thread continue, so everything counts as dependent with its event */
	uint32_t have = node_at(s, i - 1)->sleep_n;
	if (!vec_reserve(&s->core, &s->tree.sleeps, s->tree.sleeps.n + have, sizeof(struct sleeper)))
		return false;
	const struct sleeper *from = sleepers(s, i - 1);
	struct sleeper *to = sleepers(s, i);
	const struct event *e = &node_at(s, i - 1)->ev;
	struct forward f;
	forward_unlinked(s, i - 1, &f);
	for (uint32_t k = 0, end; k < have; k = end) {
		bool wakes = from[k].deadly || (!n->atomic && !unchanged(s, i, &from[k].ev));
		for (end = k; end < have && (end == k || from[end].part); end++)
			wakes = wakes || sleeper_dependent(s, &from[end], e, &f);
		for (uint32_t p = k; p < end && !wakes; p++) {
			to[n->sleep_n] = from[p];
			forward_over(&to[n->sleep_n++].forward, &from[p].ev, e);
		}
	}
	s->tree.sleeps.n += n->sleep_n;
	return true;
}

void sleepset_oversleep(struct search *s, uint32_t i)
{
	struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		x[k].overslept = 1;
}

bool sleepset_add(struct search *s, uint32_t i)
{
	struct sleeper *x = vec_push(&s->core, &s->tree.sleeps, sizeof *x);
	if (!x)
		return false;
	struct node *n = node_at(s, i);
	x->ev = n->ev;
	x->deadly = n->deadly;
	forward_of_next(s, &n->ev, &x->forward); /* everything before it is linked, and nothing else */
	n->sleep_n++;
	x->deadly |= n->foot_deadly;
	return sleepset_add_parts(s, i, node_feet(s, i), n->foot_n);
}

bool sleepset_add_parts(struct search *s, uint32_t i, const struct foot *feet, uint32_t n)
{
	for (uint32_t k = 1; k < n; k++) {
		struct sleeper *part = vec_push(&s->core, &s->tree.sleeps, sizeof *part);
		if (!part)
			return false;
		part->ev = feet[k].ev;
		memcpy(part->name, feet[k].name, sizeof part->name);
		part->part = 1;
		node_at(s, i)->sleep_n++;
	}
	return true;
}

uint32_t sleepset_inherited(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i);
	uint32_t k = n->sleep_n;
	for (uint32_t left = n->tried; left; left -= !sleepers(s, i)[k].part)
		k--;
	return k;
}

bool sleepset_has(struct search *s, uint32_t i, thread_id t, unsigned alt)
{
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		if (x[k].ev.thread == t && x[k].ev.alt == alt && !x[k].part)
			return true;
	return false;
}

bool sleepset_covers(struct search *s, uint32_t i, struct sequence *v)
{
	uint32_t at;
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		if (weak_initial(s, &x[k].ev, &x[k].forward, x[k].deadly, v, USE_LEFT, &at) && (at != NO_INDEX || !x[k].overslept)) {
			sequence_depends(v, &x[k].ev, &x[k].forward, at);
			return true;
		}
	return false;
}
