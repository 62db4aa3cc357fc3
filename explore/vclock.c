/* Vector clocks: see vclock.h. */
#include "explore/vclock.h"

#include <string.h>

static struct slot *slots(struct search *s)
{
	return vec_data(s, &s->slots);
}

static uint32_t *node_clock(struct search *s, uint32_t i)
{
	return (uint32_t *)vec_data(s, &s->clocks) + node_at(s, i)->clock_at;
}

uint32_t slot_of(struct search *s, thread_id t)
{
	if (t >= s->slot_of.n)
		return NO_INDEX;
	uint16_t x = ((uint16_t *)vec_data(s, &s->slot_of))[t];
	return x ? x - 1u : NO_INDEX;
}

static uint32_t slot_add(struct search *s, thread_id t, uint32_t index, bool by_creation)
{
	while (s->slot_of.n <= t)
		if (!vec_push(s, &s->slot_of, sizeof(uint16_t)))
			return NO_INDEX;
	struct slot *x = vec_push(s, &s->slots, sizeof *x);
	if (!x)
		return NO_INDEX;
	x->thread = t;
	x->born = index;
	x->created = by_creation ? index + 1 : 0;
	((uint16_t *)vec_data(s, &s->slot_of))[t] = (uint16_t)s->slots.n;
	return s->slots.n - 1;
}

uint32_t thread_last(struct search *s, thread_id t)
{
	uint32_t k = slot_of(s, t);
	if (k == NO_INDEX)
		return 0;
	struct slot *x = slots(s) + k;
	return x->last ? x->last : x->created;
}

/* ---- clocks as numbers ---- */

bool clock_covers(struct search *s, const uint32_t *c, uint32_t w, uint32_t i)
{
	const struct node *n = node_at(s, i);
	return n->slot < w && c[n->slot] >= n->idx;
}

bool happens_before(struct search *s, uint32_t i, uint32_t j)
{
	return i <= j && clock_covers(s, node_clock(s, j), node_at(s, j)->clock_w, i);
}

void clock_join(struct search *s, uint32_t *c, uint32_t i)
{
	const uint32_t *d = node_clock(s, i);
	uint32_t w = node_at(s, i)->clock_w;
	for (uint32_t k = 0; k < w; k++)
		if (c[k] < d[k])
			c[k] = d[k];
}

/* ---- walks over dependent events ---- */

uint32_t object_last(struct search *s, object_id o)
{
	return o && o < s->last_on.n ? ((uint32_t *)vec_data(s, &s->last_on))[o] : 0;
}

/* index + 1 of the event on object o before node i, which touches o too */
static uint32_t prev_on(const struct node *n, object_id o)
{
	return n->ev.obj[0] == o ? n->obj_prev[0] : n->obj_prev[1];
}

uint32_t object_prev(struct search *s, uint32_t k, object_id o)
{
	return prev_on(node_at(s, k), o);
}

unsigned object_mode(struct search *s, uint32_t k, object_id o)
{
	const struct event *e = &node_at(s, k)->ev;
	return e->obj[0] == o ? e->mode[0] : e->obj[1] == o ? e->mode[1] : M_NONE;
}

static bool needs_scan(const struct event *e)
{
	return (event_kind_flags(e->kind) & K_END) || e->mode[0] == M_POKE;
}

static uint32_t last_poke(struct search *s, thread_id t)
{
	uint32_t k = slot_of(s, t);
	return k == NO_INDEX ? 0 : slots(s)[k].last_poke;
}

void preds_of_next(struct search *s, struct preds *p, const struct event *e)
{
	p->e = e;
	p->own_past = true;
	p->scan = needs_scan(e) ? s->analysed : 0;
	p->chain[0] = p->scan ? 0 : object_last(s, e->obj[0]);
	p->chain[1] = p->scan ? 0 : object_last(s, e->obj[1]);
	p->chain[2] = p->scan ? 0 : last_poke(s, e->thread);
}

void preds_of_node(struct search *s, struct preds *p, uint32_t j)
{
	const struct node *n = node_at(s, j);
	p->e = &n->ev;
	p->own_past = true;
	p->scan = needs_scan(&n->ev) ? j : 0;
	p->chain[0] = p->scan ? 0 : n->obj_prev[0];
	p->chain[1] = p->scan ? 0 : n->obj_prev[1];
	p->chain[2] = p->scan ? 0 : last_poke(s, n->ev.thread);
	while (p->chain[2] > j)
		p->chain[2] = node_at(s, p->chain[2] - 1)->poke_prev;
}

/* Steps every chain that stands at index + 1 == at. */
static void preds_advance(struct search *s, struct preds *p, uint32_t at)
{
	const struct node *n = node_at(s, at - 1);
	for (unsigned k = 0; k < 2; k++)
		if (p->chain[k] == at)
			p->chain[k] = prev_on(n, p->e->obj[k]);
	if (p->chain[2] == at)
		p->chain[2] = n->poke_prev;
	if (p->scan == at)
		p->scan--;
}

/* Once d was joined, is everything before d on this object that e depends on joined too? */
static bool mode_total(unsigned mode)
{
	return mode == M_WRITE || mode == M_ACQ || mode == M_REL;
}

/* Ends the walk of a chain early when its last event d is ordered after everything earlier on the
   object. Semaphores, conditions and barriers have no such events and are walked as far as needed. */
void preds_cut(struct search *s, struct preds *p, uint32_t index)
{
	for (unsigned k = 0; k < 2; k++) {
		object_id o = p->e->obj[k];
		if (!o || p->chain[k] == 0)
			continue;
		unsigned dm = object_mode(s, index, o);
		if (mode_total(dm) || (dm == M_SEND && p->e->mode[k] == M_SEND))
			p->chain[k] = 0;
	}
}

bool preds_next(struct search *s, struct preds *p, uint32_t *index)
{
	for (;;) {
		uint32_t at = p->scan;
		for (unsigned k = 0; k < 3; k++)
			if (p->chain[k] > at)
				at = p->chain[k];
		if (at == 0)
			return false;
		preds_advance(s, p, at);
		const struct event *d = &node_at(s, at - 1)->ev;
		if (d->thread == p->e->thread && p->own_past) {
			preds_cut(s, p, at - 1);
		} else if (d->thread != p->e->thread && events_dependent(d, p->e)) {
			*index = at - 1;
			return true;
		}
	}
}

/* ---- extending and truncating ---- */

/* Puts node i at the end of the chains it belongs to. */
static bool link_node(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	struct slot *x = slots(s) + n->slot;
	n->thread_prev = x->last ? x->last : x->created;
	x->last = i + 1;
	n->idx = ++x->count;
	for (unsigned k = 0; k < 2; k++) {
		object_id o = n->ev.obj[k];
		while (o && s->last_on.n <= o)
			if (!vec_push(s, &s->last_on, sizeof(uint32_t)))
				return false;
		n = node_at(s, i);
		n->obj_prev[k] = object_last(s, o);
	}
	for (unsigned k = 0; k < 2; k++)
		if (n->ev.obj[k])
			((uint32_t *)vec_data(s, &s->last_on))[n->ev.obj[k]] = i + 1;
	if (n->ev.mode[0] == M_POKE) {
		uint32_t t = slot_of(s, (thread_id)n->ev.seq);
		n->poke_prev = t == NO_INDEX ? 0 : slots(s)[t].last_poke;
		if (t != NO_INDEX)
			slots(s)[t].last_poke = i + 1;
	}
	if (n->ev.kind == EV_THREAD_CREATE && slot_of(s, (thread_id)n->ev.seq) == NO_INDEX)
		return slot_add(s, (thread_id)n->ev.seq, i, true) != NO_INDEX;
	return true;
}

static void unlink_node(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	for (unsigned k = 0; k < 2; k++)
		if (n->ev.obj[k])
			((uint32_t *)vec_data(s, &s->last_on))[n->ev.obj[k]] = n->obj_prev[k];
	if (n->ev.mode[0] == M_POKE) {
		uint32_t t = slot_of(s, (thread_id)n->ev.seq);
		if (t != NO_INDEX)
			slots(s)[t].last_poke = n->poke_prev;
	}
	struct slot *x = slots(s) + n->slot;
	x->count--;
	x->last = x->count ? n->thread_prev : 0;
	s->clocks.n = n->clock_at;
}

static bool clock_node(struct search *s, uint32_t i)
{
	thread_id t = node_at(s, i)->ev.thread;
	uint32_t slot = slot_of(s, t);
	if (slot == NO_INDEX)
		slot = slot_add(s, t, i, false);
	uint32_t w = s->slots.n, at = s->clocks.n;
	if (slot == NO_INDEX || !vec_reserve(s, &s->clocks, at + w, sizeof(uint32_t)))
		return false;
	s->clocks.n = at + w;
	struct node *n = node_at(s, i);
	n->slot = (uint16_t)slot;
	n->clock_at = at;
	n->clock_w = (uint16_t)w;
	uint32_t *c = (uint32_t *)vec_data(s, &s->clocks) + at;
	memset(c, 0, (size_t)w * sizeof *c);
	uint32_t before = thread_last(s, t);
	if (before)
		clock_join(s, c, before - 1);
	struct preds p;
	uint32_t d;
	preds_of_next(s, &p, &n->ev);
	while (preds_next(s, &p, &d)) {
		if (!clock_covers(s, c, w, d))
			clock_join(s, c, d);
		preds_cut(s, &p, d);
	}
	c[slot] = slots(s)[slot].count + 1;
	return true;
}

bool clocks_extend(struct search *s, uint32_t n)
{
	while (s->analysed < n) {
		uint32_t i = s->analysed;
		if (!clock_node(s, i) || !link_node(s, i))
			return false;
		s->analysed++;
	}
	return true;
}

void clocks_truncate(struct search *s, uint32_t n)
{
	while (s->analysed > n)
		unlink_node(s, --s->analysed);
	while (s->slots.n && slots(s)[s->slots.n - 1].born >= n) {
		struct slot *x = slots(s) + s->slots.n - 1;
		((uint16_t *)vec_data(s, &s->slot_of))[x->thread] = 0;
		s->slots.n--;
	}
}
