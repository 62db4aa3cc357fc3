/* Atomic regions in the search: see unit.h. */
#include "explore/trace/unit.h"

#include <string.h>

#include "explore/trace/buffer.h"
#include "explore/dpor/dpor.h"
#include "explore/shared/work_sharing.h"
#include "explore/trace/vclock.h"
#include "explore/tree/wakeup.h"

#define DOUBT 1 /* A value of `guess` that matches no effects: executions of the unit had different effects. */

uint32_t unit_first(struct search *s, uint32_t i)
{
	while (i && node_at(s, i)->atomic)
		i--;
	return i;
}

/* Returns the node after the last one of the unit of node i. */
static uint32_t unit_end(struct search *s, uint32_t i)
{
	do
		i++;
	while (i < s->trace.analysed && node_at(s, i)->atomic);
	return i;
}

/* ---- the effects of units ---- */

/* Hash of what the unit from node i to `end` touches, and how. Never 0 or DOUBT. */
static uint64_t what_it_did(struct search *s, uint32_t i, uint32_t end)
{
	uint64_t h = 0;
	for (; i < end; i++) {
		const struct event *e = &node_at(s, i)->ev;
		uint64_t how = (uint64_t)e->kind << 32 | (uint64_t)e->alt << 24 | (uint64_t)e->mode[0] << 16 | (uint64_t)e->mode[1] << 8 | e->span;
		h = mix64(h ^ how);
		for (unsigned k = 0; k < 2; k++)
			h = mix64(h ^ (object_is_memory(e->obj[k]) ? e->obj[k] : object_name(&s->core, e->obj[k])));
	}
	return h | 2;
}

static bool same_access(const struct event *a, const struct event *b)
{
	return a->kind == b->kind && a->mode[0] == b->mode[0] && a->mode[1] == b->mode[1] && a->obj[0] == b->obj[0] && a->obj[1] == b->obj[1] &&
	       a->span == b->span && a->seq == b->seq && a->alt == b->alt;
}

/* Adds event i to what the unit that begins at `first` is known to do. Recent repetitions are left out. */
static bool add_foot(struct search *s, uint32_t first, uint32_t i)
{
	struct node *n = node_at(s, first);
	const struct event *e = &node_at(s, i)->ev;
	const struct foot *known = node_feet(s, first);
	const uint64_t name[2] = {object_name(&s->core, e->obj[0]), object_name(&s->core, e->obj[1])};
	n->foot_deadly |= node_at(s, i)->deadly;
	for (uint32_t k = n->foot_n; k > 1 && k + 16 > n->foot_n; k--)
		if (same_access(&known[k - 1].ev, e) && !memcmp(known[k - 1].name, name, sizeof name))
			return true;
	struct foot *to = vec_push(&s->core, &s->trace.feet, sizeof *to);
	if (!to)
		return false;
	*to = (struct foot){.ev = *e, .name = {name[0], name[1]}};
	n->foot_n++;
	return true;
}

uint64_t unit_did(struct search *s, uint32_t i)
{
	return what_it_did(s, i, unit_end(s, i));
}

/* If the search branched inside of a unit, the new events are added to what was known of it. */
void units_note(struct search *s)
{
	uint32_t i = s->tree.prefix, end;
	if (i >= s->trace.analysed)
		return;
	uint32_t first = unit_first(s, i);
	const struct node *before = first < i ? node_at(s, first) : first ? node_at(s, unit_first(s, first - 1)) : NULL;
	s->trace.feet.n = before ? before->foot_at + before->foot_n : 0;
	for (; i < s->trace.analysed && !s->core.failed; i = first = end) {
		end = unit_end(s, i);
		struct node *n = node_at(s, first);
		if (first == i) {
			n->foot_at = s->trace.feet.n;
			n->foot_n = n->foot_deadly = 0;
		}
		for (; (end - first > 1 || n->foot_n) && i < end && add_foot(s, first, i); i++)
			;
	}
}

/* Returns whether the unit has a choice after its first node. */
static bool has_alternatives(struct search *s, uint32_t i, uint32_t end)
{
	for (i++; i < end; i++)
		if (node_at(s, i)->choice_n > 1)
			return true;
	return false;
}

bool unit_is_felt(struct search *s, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		if (node_at(s, i)->ev.mode[0] != M_NONE || node_at(s, i)->ev.mode[1] != M_NONE)
			return true;
	return false;
}

/* Returns whether the unit from node i to `end` leaves its thread inside a region, which it continues later. */
static bool is_open(struct search *s, uint32_t i, uint32_t end)
{
	uint32_t before = node_at(s, i)->thread_prev;
	bool open = i == 0 && node_at(s, i)->atomic; /* it began before there were other threads */
	if (before && node_at(s, before - 1)->ev.thread == node_at(s, i)->ev.thread)
		open = node_at(s, unit_first(s, before - 1))->open;
	for (; i < end; i++) {
		const struct node *n = node_at(s, i);
		if (n->ev.kind == EV_ATOMIC_BEGIN)
			open = true;
		else if (n->ev.kind == EV_ATOMIC_END || n->ev.kind == EV_THREAD_EXIT || (event_kind_flags(n->ev.kind) & K_END) || n->deadly)
			open = false;
	}
	return open;
}

static void find_interrupted(struct search *s)
{
	s->trace.interrupted = 0;
	for (uint32_t i = 0, end; i < s->trace.analysed; i = end) {
		end = unit_end(s, i);
		struct node *n = node_at(s, i);
		n->open = is_open(s, i, end);
		if (!n->open)
			continue;
		s->trace.interrupted = 1;
		n->foot_deadly |= unit_is_felt(s, i, end);
		unit_plan_all(s, i);
	}
}

void units_end(struct search *s)
{
	find_interrupted(s);
	for (uint32_t i = s->tree.prefix, end; i < s->trace.analysed; i = end) {
		struct node *n = node_at(s, i);
		end = unit_end(s, i);
		if (n->guess && (n->guess != what_it_did(s, i, end) || has_alternatives(s, i, end)))
			dpor_plan_all(s, i);
		node_at(s, i)->guess = 0;
	}
}

/* ---- cuts ---- */

/* Returns whether event i comes after something taken out of another thread. out[slot] is the first event of that thread that is taken
   out. */
static bool comes_after(struct search *s, uint32_t i, const uint32_t *out)
{
	const struct node *n = node_at(s, i);
	const uint32_t *c = (uint32_t *)vec_data(&s->core, &s->trace.clocks) + n->clock_at;
	for (uint32_t k = 0; k < n->clock_w; k++)
		if (k != n->slot && c[k] >= out[k])
			return true;
	return false;
}

bool unit_cut(struct search *s, struct cut *c)
{
	struct vec *keep = &s->trace.scratch[SCRATCH_UNIT], *outs = &s->trace.scratch[SCRATCH_UNIT_OUT];
	uint32_t n = s->trace.analysed, from = NO_INDEX;
	for (uint32_t r = 0; r < c->n; r++)
		from = unit_first(s, c->root[r]) < from ? unit_first(s, c->root[r]) : from;
	if (!vec_reserve(&s->core, keep, n - from, 1) || !vec_reserve(&s->core, outs, s->trace.slots.n, sizeof(uint32_t)))
		return false;
	uint8_t *kept = vec_data(&s->core, keep);
	uint32_t *out = vec_data(&s->core, outs);
	memset(out, 0xff, s->trace.slots.n * sizeof *out);
	for (uint32_t r = 0; r < c->n; r++) {
		const struct node *root = node_at(s, unit_first(s, c->root[r]));
		if (root->idx < out[root->slot])
			out[root->slot] = root->idx;
	}
	bool same = true;
	for (uint32_t i = from, end; i < n; i = end) {
		end = unit_end(s, i);
		const struct node *x = node_at(s, i);
		bool own = x->idx >= out[x->slot], gone = own;
		for (uint32_t k = i; k < end && !gone; k++)
			gone = comes_after(s, k, out);
		memset(kept + (i - from), !gone, end - i);
		if (c->self != NO_INDEX && c->self >= i && c->self < end) {
			same = !own && (c->self == i || !comes_after(s, c->self - 1, out));
			memset(kept + (i - from), 1, c->self - i);
		}
		if (gone && !own)
			out[x->slot] = x->idx;
	}
	c->kept = kept;
	c->from = from;
	return same;
}

/* ---- plans ---- */

void unit_plan_all(struct search *s, uint32_t i)
{
	i = unit_first(s, i);
	if (!node_at(s, i)->closed)
		dpor_plan_all(s, i);
}

/* The list of what is planned at node i, between share_enter and share_leave. */
static aref *planned_at(struct search *s, uint32_t i)
{
	return s->core.in_common ? share_planned(s, i) : &node_at(s, i)->wut;
}

/* Appends a choice to that list. Returns 0 when memory is used up. */
static aref plan(struct search *s, uint32_t i, const struct event *e, const struct forward *f)
{
	aref r = wakeup_append(&s->core, planned_at(s, i), e, f);
	if (r && s->core.in_common)
		share_note(s, r, share_path(s, i), i);
	return r;
}

void unit_plan_choice(struct search *s, uint32_t i, const struct event *e)
{
	struct event planned = *e; /* *e may move */
	share_enter(s, i);
	if (!sleepset_has(s, i, planned.thread, planned.alt) &&
		!wakeup_find(&s->core, *planned_at(s, i), planned.thread, planned.alt))
		plan(s, i, &planned, NULL);
	share_leave(s);
}

/* Item k of v, the first of its thread, is a unit of the trace (k < v->n) or that of event `self`. Returns whether an earlier item of v
   happens before a part of it, or might: a unit that is still pending (self NO_INDEX) could do anything. */
static bool waits_in(struct search *s, const struct sequence *v, uint32_t k, uint32_t self)
{
	if (k == v->n && self == NO_INDEX)
		return k;
	uint32_t first = k < v->n ? v->at[k] : unit_first(s, self);
	for (uint32_t i = first, end = unit_end(s, first); i < end; i++)
		for (uint32_t m = 0; m < k; m++)
			if (happens_before(s, v->at[m], i))
				return true;
	return false;
}

/* The sleeper's unit is the reversed one, the last item of v. Returns whether it stays asleep over all other items: it is independent of
   them. */
static bool sleeps_through(struct search *s, const struct sleeper *x, const struct sleeper *end, const struct sequence *v)
{
	static const struct forward none;
	for (uint32_t m = 0; m < v->n; m++) {
		const struct event *e = &node_at(s, v->at[m])->ev;
		if (x->deadly)
			return false;
		for (const struct sleeper *p = x; p < end && (p == x || p->part); p++)
			if (sleeper_dependent(s, p, e, &none))
				return false;
	}
	return true;
}

/* The first item of v that belongs to thread t; NO_INDEX: none. */
static uint32_t item_of(struct search *s, const struct sequence *v, thread_id t)
{
	for (uint32_t k = 0; k < sequence_length(v); k++)
		if (sequence_event(s, v, k)->thread == t)
			return k;
	return NO_INDEX;
}

/* Returns whether a single event is a first step of v. */
static bool starts(struct search *s, const struct event *q, const struct forward *f, bool deadly, struct sequence *v)
{
	uint32_t at;
	return weak_initial(s, q, f, deadly, v, USE_LEFT, &at) && at != NO_INDEX;
}

/* Returns whether a sleeper at node i is a first step of v. */
static bool asleep(struct search *s, uint32_t i, struct sequence *v, uint32_t self)
{
	const struct sleeper *x = sleepers(s, i), *end = x + node_at(s, i)->sleep_n;
	for (; x < end; x++) {
		uint32_t k = x->part ? NO_INDEX : item_of(s, v, x->ev.thread);
		if (k == NO_INDEX || sequence_event(s, v, k)->alt != x->ev.alt)
			continue;
		if (!event_begins_unit(&x->ev) ? starts(s, &x->ev, &x->forward, x->deadly, v) :
			k < v->n ? !waits_in(s, v, k, self) : sleeps_through(s, x, end, v))
			return true;
	}
	return false;
}

/* The unit of branch r is expected to do this. Returns false when it is known to do something else. */
static bool expect(struct search *s, aref r, uint64_t did)
{
	struct wakeup *w = wakeup_at(&s->core, r);
	if (s->core.in_common && branch_at(&s->core, r)->settled)
		return branch_at(&s->core, r)->did == did;
	w->guess = !w->guess || w->guess == did ? did : DOUBT;
	return true;
}

/* Returns whether a branch planned at node i is a first step of v. Sets *wrong if that was expected, but is not so. */
static bool first_step_planned(struct search *s, uint32_t i, struct sequence *v, uint32_t self, bool *wrong)
{
	for (aref r = *planned_at(s, i); r; r = wakeup_at(&s->core, r)->next) {
		struct wakeup *w = wakeup_at(&s->core, r);
		struct event e = wakeup_event(&s->core, r);
		uint32_t k = item_of(s, v, e.thread);
		if (k == NO_INDEX || sequence_event(s, v, k)->alt != e.alt)
			continue;
		if (!event_begins_unit(&e)) {
			if (starts(s, &e, &w->forward, false, v))
				return true;
			continue;
		}
		if (waits_in(s, v, k, self))
			continue;
		if (k == v->n) /* it is expected to do what it did here */
			*wrong = !expect(s, r, self == NO_INDEX ? DOUBT : unit_did(s, unit_first(s, self)));
		return true;
	}
	return false;
}

void unit_plan(struct search *s, const struct cut *c, const struct event *last)
{
	struct vec *at = &s->trace.scratch[SCRATCH_SEQUENCE], *state = &s->trace.scratch[SCRATCH_STATE];
	uint32_t most = s->trace.analysed - c->from, i = c->from;
	uint32_t own = c->self == NO_INDEX ? NO_INDEX : unit_first(s, c->self), own_end = own == NO_INDEX ? 0 : unit_end(s, own);
	if (!vec_reserve(&s->core, at, most, sizeof(uint32_t)) || !vec_reserve(&s->core, state, most + 1, sizeof(uint32_t)))
		return;
	struct event head = own == NO_INDEX || own == c->self ? *last : node_at(s, own)->ev;
	struct sequence v = {.start = i, .at = vec_data(&s->core, at), .last = &head, .last_at = c->self, .state = vec_data(&s->core, state)};
	for (uint32_t k = i; k < s->trace.analysed; k++)
		if (!cut_removes(s, c, k) && !(k >= own && k < own_end)) {
			v.state[v.n] = ITEM_LEFT;
			v.at[v.n++] = k;
		}
	v.state[v.n] = ITEM_LEFT;
	s->trace.scratch[SCRATCH_PATH].n = 0;
	bool wrong = false;
	share_enter(s, i);
	if (!asleep(s, i, &v, c->self) && !first_step_planned(s, i, &v, c->self, &wrong)) {
		struct forward f;
		const struct event *first = sequence_event(s, &v, 0);
		forward_in_sequence(s, &v, 0, USE_LEFT, &f);
		aref r = plan(s, i, first, &f);
		if (r && v.n == 0 && own != NO_INDEX && event_begins_unit(first))
			wakeup_at(&s->core, r)->guess = what_it_did(s, own, own_end);
	}
	share_leave(s);
	if (wrong)
		dpor_plan_all(s, i);
}
