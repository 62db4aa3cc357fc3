/* Vector clocks: see vclock.h. */
#include "explore/trace/vclock.h"

#include <string.h>

#include "explore/trace/buffer.h"
#include "explore/trace/chain.h"
#include "explore/trace/condition.h"

static struct slot *slots(struct search *s)
{
	return vec_data(&s->core, &s->trace.slots);
}

static uint32_t *node_clock(struct search *s, uint32_t i)
{
	return (uint32_t *)vec_data(&s->core, &s->trace.clocks) + node_at(s, i)->clock_at;
}

uint32_t slot_of(struct search *s, thread_id t)
{
	if (t >= s->trace.slot_of.n)
		return NO_INDEX;
	uint16_t x = ((uint16_t *)vec_data(&s->core, &s->trace.slot_of))[t];
	return x ? x - 1u : NO_INDEX;
}

uint32_t slot_add(struct search *s, thread_id t, uint32_t index, bool by_creation)
{
	while (s->trace.slot_of.n <= t)
		if (!vec_push(&s->core, &s->trace.slot_of, sizeof(uint16_t)))
			return NO_INDEX;
	struct slot *x = vec_push(&s->core, &s->trace.slots, sizeof *x);
	if (!x)
		return NO_INDEX;
	x->thread = t;
	x->born = index;
	x->created = by_creation ? index + 1 : 0;
	((uint16_t *)vec_data(&s->core, &s->trace.slot_of))[t] = (uint16_t)s->trace.slots.n;
	return s->trace.slots.n - 1;
}

uint32_t thread_last(struct search *s, thread_id t)
{
	uint32_t k = slot_of(s, t);
	if (k == NO_INDEX)
		return 0;
	struct slot *x = slots(s) + k;
	return x->last ? x->last : x->created;
}

uint64_t slots_from(struct search *s, uint32_t from)
{
	uint64_t bits = 0;
	for (uint32_t k = 0; k < s->trace.slots.n; k++)
		bits |= (uint64_t)(slots(s)[k].last > from) << k;
	return bits;
}

bool slot_ends(struct search *s, uint32_t i)
{
	return slots(s)[node_at(s, i)->slot].last == i + 1;
}

uint32_t slot_next(struct search *s, uint32_t slot, uint32_t i)
{
	uint32_t at = slots(s)[slot].last, count = slots(s)[slot].count;
	for (unsigned k = 0; k < 64 && at > i; k++) {
		uint32_t before = --count ? node_at(s, at - 1)->thread_prev : 0; /* the first event has the thread's creation before it */
		if (before <= i)
			return at - 1;
		at = before;
	}
	return i;
}

/* ---- clocks as numbers ---- */

void clock_join(struct search *s, uint32_t *c, uint32_t i)
{
	const uint32_t *d = node_clock(s, i);
	uint32_t w = node_at(s, i)->clock_w;
	for (uint32_t k = 0; k < w; k++)
		if (c[k] < d[k])
			c[k] = d[k];
}

/* ---- walks over dependent events ---- */

/* Returns whether events of any kind may depend on e, so that it is in the list of search.last_all. */
static bool listed(const struct event *e)
{
	return (event_kind_flags(e->kind) & (K_ALL | K_DRAINS_ALL)) || event_late(e);
}

static bool needs_scan(const struct event *e)
{
	return (event_kind_flags(e->kind) & (K_END | K_ALL | K_DRAINS_ALL)) || event_late(e) || e->mode[0] == M_POKE;
}

static uint32_t last_poke(struct search *s, thread_id t)
{
	uint32_t k = slot_of(s, t);
	return k == NO_INDEX ? 0 : slots(s)[k].last_poke;
}

static struct walk *walks(struct search *s, struct preds *p)
{
	return p->n <= 2 ? p->walk : vec_data(&s->core, &s->trace.scratch[SCRATCH_WALKS]);
}

/*
 * What the walk of a RECV still looks for: the previous RECV, which comes after all earlier RECVs and observers; and the SEND of its token.
 * Tokens are sent in the order of their numbers: at the SEND of a lower number, its own token was not sent yet.
 */
enum { LOOKS_FOR_RECV = 1, LOOKS_FOR_SEND = 2 };

/* Starts the walks for p->e, which comes right before position `before`. For an event that is in no chain (self = NO_INDEX) they start at
   the end of the chains, else after event `self`. */
static void preds_start(struct search *s, struct preds *p, uint32_t before, uint32_t self)
{
	p->own_past = true;
	p->past = NULL;
	p->forwarded = 0;
	if (self == NO_INDEX)
		forward_of_next(s, p->e, &p->forward);
	else
		forward_of_node(s, self, &p->forward);
	p->scan = needs_scan(p->e) ? before : 0;
	p->n = p->scan || p->e->mode[0] == M_BUFFER ? 0 : chain_count(p->e);
	p->poke = p->scan ? 0 : last_poke(s, p->e->thread);
	while (p->poke > before)
		p->poke = node_at(s, p->poke - 1)->poke_prev;
	p->all = p->scan ? 0 : s->trace.last_all;
	while (p->all > before)
		p->all = node_at(s, p->all - 1)->poke_prev;
	if (p->n > 2 && !vec_reserve(&s->core, &s->trace.scratch[SCRATCH_WALKS], p->n, sizeof(struct walk)))
		p->n = 0;
	struct walk *w = walks(s, p);
	for (uint32_t k = 0; k < p->n; k++) {
		object_id o = chain_object(p->e, k);
		w[k].at = !o ? 0 : self == NO_INDEX ? object_last(s, o) : object_prev(s, self, o);
		w[k].bytes = object_is_memory(o) ? forward_left(p->e, o, &p->forward) : LOOKS_FOR_RECV | LOOKS_FOR_SEND;
		if (object_is_memory(o) && !w[k].bytes)
			w[k].at = 0;
	}
}

void preds_of_next(struct search *s, struct preds *p, const struct event *e)
{
	p->e = e;
	preds_start(s, p, s->trace.analysed, NO_INDEX);
}

void preds_from(struct search *s, struct preds *p, const struct event *e, uint32_t i)
{
	preds_of_next(s, p, e);
	struct walk *w = walks(s, p);
	for (uint32_t k = 0; k < p->n; k++)
		if (w[k].at > i + 1)
			w[k].at = i + 1;
}

void preds_of_node(struct search *s, struct preds *p, const struct event *e, uint32_t j)
{
	p->e = e;
	preds_start(s, p, j, j);
}

/* Advances every walk that stands at index + 1 == at. */
static void preds_advance(struct search *s, struct preds *p, uint32_t at)
{
	struct walk *w = walks(s, p);
	const struct node *n = node_at(s, at - 1);
	for (uint32_t k = 0; k < p->n; k++) {
		if (w[k].at != at)
			continue;
		object_id o = chain_object(p->e, k);
		w[k].at = object_prev(s, at - 1, o);
		if (p->e->mode[0] == M_RECV && n->ev.mode[0] == M_SEND && event_token(&n->ev) <= event_token(p->e))
			w[k].bytes &= ~(uint32_t)LOOKS_FOR_SEND;
		if (w[k].bytes == 0)
			w[k].at = 0;
	}
	if (p->poke == at)
		p->poke = n->poke_prev;
	if (p->all == at)
		p->all = n->poke_prev;
	if (p->scan == at)
		p->scan--;
}

/* Returns whether an event with mode dm on an object is dependent with everything on it that an event with mode em depends on. */
static bool mode_hides(unsigned dm, unsigned em)
{
	if (dm == M_WRITE || dm == M_ACQ || dm == M_REL || dm == M_CLAIM)
		return true;
	if (em == M_RDACQ || em == M_RDREL)
		return dm == M_RDACQ || dm == M_RDREL;
	return dm == em && (dm == M_SEND || dm == M_READ);
}

/* Returns whether d and e add to the same bytes. Then e depends on nothing earlier that d does not depend on. */
static bool add_alike(const struct event *d, const struct event *e)
{
	uint64_t from, to, lo, hi;
	if (d->mode[0] != M_ADD || e->mode[0] != M_ADD || !event_bytes(d, &from, &to) || !event_bytes(e, &lo, &hi))
		return false;
	return from == lo && to == hi;
}

/* Ends the walk of a chain early when d is ordered after everything earlier on the object (or on the bytes of it that are still of
   interest) that e depends on. Conditions and barriers have no such events; their walks end only at a gate. */
void preds_cut(struct search *s, struct preds *p, uint32_t index)
{
	const struct event *d = &node_at(s, index)->ev;
	struct walk *w = walks(s, p);
	if (event_with_all(d)) /* it comes after everything */
		p->n = p->poke = p->all = p->scan = 0;
	for (uint32_t k = 0; k < p->n; k++) {
		if (w[k].at == 0)
			continue;
		object_id o = chain_object(p->e, k);
		unsigned dm = chain_mode(d, o), em = chain_mode(p->e, o);
		if (dm == M_NONE)
			continue;
		if (!object_is_memory(o) && is_gate(s, index, o))
			w[k].bytes = 0;
		else if (mode_hides(dm, em) || add_alike(d, p->e))
			w[k].bytes &= object_is_memory(o) ? ~chain_bytes(d, o) : 0;
		else if (em == M_RECV && dm == M_RECV)
			w[k].bytes &= ~(uint32_t)LOOKS_FOR_RECV;
		if (w[k].bytes == 0)
			w[k].at = 0;
	}
}

/* Skips d, at `index`. When the caller has processed d, and d comes after everything earlier on the object, the walk of that chain ends. */
static void preds_pass(struct search *s, struct preds *p, uint32_t index)
{
	struct walk *w = walks(s, p);
	if (!p->past || !clock_covers(s, p->past, p->past_w, index))
		return;
	for (uint32_t k = 0; k < p->n; k++) {
		object_id o = chain_object(p->e, k);
		if (o && !object_is_memory(o) && object_mode(s, index, o) != M_NONE && is_gate(s, index, o))
			w[k].at = 0;
	}
}

/* For events of one thread, or of a thread and its agents: returns whether d is ordered before e, or e does not look beyond d. */
static bool hides_own(const struct event *d, const struct event *e)
{
	if (e->kind == EV_UPDATE && d->kind != EV_UPDATE)
		return event_drains(d); /* it comes before the STORE of e */
	return d->kind != EV_UPDATE || e->kind == EV_LOAD || events_dependent(d, e);
}

/* Returns whether e, which writes memory, must come after loads that got bytes from the store of update d. */
static bool overwrites(const struct event *e, const struct event *d)
{
	return d->kind == EV_UPDATE && event_owner(d) != event_owner(e) && events_dependent(e, d) && !needs_scan(e);
}

static void forwarded_begin(struct search *s, struct preds *p, uint32_t update)
{
	p->forwarded = node_at(s, update)->agent_prev ? node_at(s, node_at(s, update)->agent_prev - 1)->forwards : 0;
}

/* Finds the next load among those that read the bytes of the latest returned UPDATE from the buffer. */
static bool next_forwarded(struct search *s, struct preds *p, uint32_t *index)
{
	while (p->forwarded) {
		uint32_t load = forwarded_next(s, p->e, &p->forwarded);
		const struct event *d = load ? &node_at(s, load - 1)->ev : NULL;
		if (!d || d->thread == event_owner(p->e) || !events_dependent(d, p->e))
			continue;
		*index = load - 1;
		return true;
	}
	return false;
}

/* Returns whether d, at `index`, is dependent with p->e, given the bytes that they read from their buffers. */
static bool depends_here(struct search *s, const struct preds *p, uint32_t index)
{
	static const struct forward none;
	const struct event *d = &node_at(s, index)->ev;
	struct forward f;
	if (!event_forwarded(d))
		return buffer_dependent(p->e, &p->forward, d, &none);
	forward_of_node(s, index, &f);
	return buffer_dependent(p->e, &p->forward, d, &f);
}

/* Returns whether d, at `index`, touches a byte that p->e, a load, still looks for. A load does not see what its thread's own store
   hides, although that store is not ordered with the load. An event of another thread hides only what it is ordered after anyway. */
static bool looked_for(struct search *s, struct preds *p, uint32_t index)
{
	const struct event *d = &node_at(s, index)->ev;
	const struct walk *w = walks(s, p);
	if (p->e->kind != EV_LOAD || needs_scan(d))
		return true;
	for (uint32_t k = 0; k < p->n; k++) {
		object_id o = chain_object(p->e, k);
		if (o && chain_mode(d, o) != M_NONE && (w[k].bytes & chain_bytes(d, o)))
			return true;
	}
	return false;
}

bool preds_next(struct search *s, struct preds *p, uint32_t *index)
{
	if (next_forwarded(s, p, index))
		return true;
	for (;;) {
		uint32_t at = p->scan > p->poke ? p->scan : p->poke;
		at = p->all > at ? p->all : at;
		const struct walk *w = walks(s, p);
		for (uint32_t k = 0; k < p->n; k++)
			if (w[k].at > at)
				at = w[k].at;
		if (at == 0)
			return false;
		preds_advance(s, p, at);
		const struct event *d = &node_at(s, at - 1)->ev;
		if (event_owner(d) == event_owner(p->e)) {
			/* forced edges and program order; a load does not see what its thread's own store hides */
			if (p->own_past && hides_own(d, p->e))
				preds_cut(s, p, at - 1);
		} else if (looked_for(s, p, at - 1) && depends_here(s, p, at - 1)) {
			if (overwrites(p->e, d))
				forwarded_begin(s, p, at - 1);
			*index = at - 1;
			return true;
		} else {
			preds_pass(s, p, at - 1);
		}
	}
}

/* ---- extending and truncating ---- */

/* Appends node i to its chains. */
static bool link_node(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	struct slot *x = slots(s) + n->slot;
	n->thread_prev = x->last ? x->last : x->created;
	x->last = i + 1;
	n->idx = ++x->count;
	if (!chains_link(s, i) || !buffer_link(s, i))
		return false;
	if (n->ev.obj[0] && !object_is_memory(n->ev.obj[0]))
		condition_link(s, i);
	if (n->ev.mode[0] == M_POKE) {
		uint32_t t = slot_of(s, event_poked(&n->ev));
		n->poke_prev = t == NO_INDEX ? 0 : slots(s)[t].last_poke;
		if (t != NO_INDEX)
			slots(s)[t].last_poke = i + 1;
	}
	if (listed(&n->ev)) {
		n->poke_prev = s->trace.last_all;
		s->trace.last_all = i + 1;
	}
	if (n->ev.kind == EV_THREAD_CREATE && slot_of(s, event_child(&n->ev)) == NO_INDEX)
		return slot_add(s, event_child(&n->ev), i, true) != NO_INDEX;
	return true;
}

static void unlink_node(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	buffer_unlink(s, i);
	chains_unlink(s, i);
	if (n->ev.mode[0] == M_POKE) {
		uint32_t t = slot_of(s, event_poked(&n->ev));
		if (t != NO_INDEX)
			slots(s)[t].last_poke = n->poke_prev;
	}
	if (listed(&n->ev))
		s->trace.last_all = n->poke_prev;
	struct slot *x = slots(s) + n->slot;
	x->count--;
	x->last = x->count ? n->thread_prev : 0;
	s->trace.clocks.n = n->clock_at;
}

/* Joins the clock of event at - 1 into c, unless c covers it. Returns whether it did. */
static bool join_new(struct search *s, uint32_t *c, uint32_t w, uint32_t at)
{
	if (!at || clock_covers(s, c, w, at - 1))
		return false;
	clock_join(s, c, at - 1);
	return true;
}

/* Returns whether clock c covers all events on object o. false when in doubt: it checks a few steps only, enough for a round of a barrier
   that all threads take part in (an arrival and a PASS of each). */
static bool gate(struct search *s, object_id o, const uint32_t *c, uint32_t w)
{
	if (!o || object_is_memory(o))
		return false;
	uint32_t at = object_last(s, o), most = 8 + 2 * s->trace.slots.n;
	for (uint32_t k = 0; at && k < most; k++, at = object_prev(s, at - 1, o)) {
		if (!clock_covers(s, c, w, at - 1))
			return false;
		if (is_gate(s, at - 1, o))
			return true;
	}
	return at == 0;
}

static bool clock_node(struct search *s, uint32_t i)
{
	thread_id t = node_at(s, i)->ev.thread;
	uint32_t slot = slot_of(s, t);
	if (slot == NO_INDEX)
		slot = slot_add(s, t, i, false);
	uint32_t w = s->trace.slots.n, at = s->trace.clocks.n;
	if (slot == NO_INDEX || !vec_reserve(&s->core, &s->trace.clocks, at + w, sizeof(uint32_t)))
		return false;
	s->trace.clocks.n = at + w;
	struct node *n = node_at(s, i);
	n->slot = (uint16_t)slot;
	n->clock_at = at;
	n->clock_w = (uint16_t)w;
	uint32_t *c = (uint32_t *)vec_data(&s->core, &s->trace.clocks) + at;
	memset(c, 0, (size_t)w * sizeof *c);
	uint32_t before = thread_last(s, t);
	if (before)
		clock_join(s, c, before - 1);
	struct preds p;
	struct forced f;
	uint32_t d;
	for (forced_start(s, &f, &n->ev, NO_INDEX); forced_next(s, &f, &d);)
		if (!clock_covers(s, c, w, d))
			clock_join(s, c, d);
	bool raced = false;
	if ((event_kind_flags(n->ev.kind) & K_END) || event_with_all(&n->ev)) { /* after everything */
		for (uint32_t k = 0; k < w; k++)
			raced |= join_new(s, c, w, slots(s)[k].last);
	} else {
		preds_of_next(s, &p, &n->ev);
		p.past = c;
		p.past_w = w;
		while (preds_next(s, &p, &d)) {
			raced |= join_new(s, c, w, d + 1);
			preds_cut(s, &p, d);
		}
	}
	n->settled = raced || event_late(&n->ev) ? NO_INDEX : 0; /* in no race: what it depends on is in its past in any case */
	n->gates = (uint8_t)(gate(s, n->ev.obj[0], c, w) | gate(s, n->ev.obj[1], c, w) << 1);
	c[slot] = slots(s)[slot].count + 1;
	return !s->core.failed;
}

static bool list_index(struct search *s, struct vec *list, uint32_t i)
{
	uint32_t *at = vec_push(&s->core, list, sizeof *at);
	if (at)
		*at = i;
	return at;
}

/* Lists node i for races_analyse, if it needs a look there. */
static bool list_node(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i);
	bool races = n->settled == NO_INDEX, branches = n->alternatives;
	return (!races || list_index(s, &s->trace.unsettled, i)) && (!branches || list_index(s, &s->trace.branching, i));
}

static void cut_list(struct search *s, struct vec *list, uint32_t n)
{
	const uint32_t *at = vec_data(&s->core, list);
	while (list->n && at[list->n - 1] >= n)
		list->n--;
}

bool clocks_extend(struct search *s, uint32_t n)
{
	while (s->trace.analysed < n) {
		uint32_t i = s->trace.analysed;
		if (!clock_node(s, i) || !link_node(s, i) || !list_node(s, i))
			return false;
		s->trace.analysed++;
	}
	return true;
}

void clocks_truncate(struct search *s, uint32_t n)
{
	cut_list(s, &s->trace.unsettled, n);
	cut_list(s, &s->trace.branching, n);
	while (s->trace.analysed > n)
		unlink_node(s, --s->trace.analysed);
	while (s->trace.slots.n && slots(s)[s->trace.slots.n - 1].born >= n) {
		struct slot *x = slots(s) + s->trace.slots.n - 1;
		((uint16_t *)vec_data(&s->core, &s->trace.slot_of))[x->thread] = 0;
		s->trace.slots.n--;
	}
}
