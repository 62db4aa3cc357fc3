/* Store buffers in the search: see buffer.h. */
#include "explore/trace/buffer.h"

#include <string.h>

#include "explore/trace/chain.h"
#include "explore/trace/feasible.h"
#include "explore/trace/vclock.h"
#include "explore/tree/wakeup.h"

static struct slot *slot_at(struct search *s, uint32_t k)
{
	return (struct slot *)vec_data(&s->core, &s->trace.slots) + k;
}

static bool is_buffered(const struct event *e)
{
	return e->kind == EV_STORE && e->mode[0] == M_BUFFER;
}

/* ---- links ---- */

static struct forwarding *forwarding_at(struct search *s, uint32_t i)
{
	return (struct forwarding *)vec_data(&s->core, &s->trace.forwards) + i;
}

/* The floor of STORE i, the latest: it is at or above the floor of the STORE before it. */
static uint32_t floor_of(struct search *s, uint32_t i)
{
	uint32_t before = node_at(s, i)->stores, at = i + 1;
	if (!before)
		return at;
	node_at(s, before - 1)->newer = at;
	for (at = node_at(s, before - 1)->floor; at != i + 1 && node_at(s, at - 1)->update;)
		at = node_at(s, at - 1)->newer;
	return at;
}

/* Returns the thread's STORE before the one at *at, if it may still be in the buffer in the state of node `start`. 0: it and all earlier
   ones are in memory. *floor is 0 at first. */
static uint32_t older(struct search *s, uint32_t at, uint32_t start, uint32_t *floor)
{
	const struct node *st = node_at(s, at - 1);
	if (*floor == 0 && at - 1 < start)
		*floor = st->floor;
	return st->stores >= *floor ? st->stores : 0;
}

static bool link_store(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	thread_id agent = event_agent(&n->ev);
	uint32_t k = slot_of(s, agent);
	if (k == NO_INDEX)
		k = slot_add(s, agent, i, false);
	if (k == NO_INDEX)
		return false;
	struct slot *a = slot_at(s, k);
	n->agent_prev = a->newest;
	n->agent_next = n->update = n->forwards = 0;
	n->floor = floor_of(s, i);
	if (a->newest)
		node_at(s, a->newest - 1)->agent_next = i + 1;
	a->newest = i + 1;
	if (!a->oldest)
		a->oldest = i + 1;
	slot_at(s, n->slot)->stores = i + 1;
	s->trace.buffered++;
	return true;
}

static void unlink_store(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	struct slot *a = slot_at(s, slot_of(s, event_agent(&n->ev)));
	a->newest = n->agent_prev;
	if (a->newest)
		node_at(s, a->newest - 1)->agent_next = 0;
	if (a->oldest == i + 1)
		a->oldest = 0;
	s->trace.buffered--;
}

/* Adds node i, a load, to the lists of the STOREs whose bytes it reads. */
static bool link_load(struct search *s, uint32_t i)
{
	struct forward f;
	struct node *n = node_at(s, i);
	n->forwards = s->trace.forwards.n;
	if (!n->stores)
		return true;
	forward_of_load(s, i, &f);
	uint32_t floor = 0;
	for (uint32_t at = n->stores; f.any && at; at = older(s, at, i, &floor)) {
		struct node *st = node_at(s, at - 1);
		uint32_t bytes = 0;
		for (unsigned b = 0; b < FORWARD_BYTES; b++)
			bytes |= (uint32_t)(f.from[b] == event_stored(&st->ev) + 1) << b;
		if (!bytes)
			continue;
		struct forwarding *x = vec_push(&s->core, &s->trace.forwards, sizeof *x);
		if (!x)
			return false;
		*x = (struct forwarding){ .load = i + 1, .store = at, .next = st->forwards, .bytes = bytes };
		st->forwards = s->trace.forwards.n;
	}
	return true;
}

static void unlink_load(struct search *s, uint32_t i)
{
	while (s->trace.forwards.n > node_at(s, i)->forwards) {
		const struct forwarding *x = forwarding_at(s, --s->trace.forwards.n);
		node_at(s, x->store - 1)->forwards = x->next;
	}
}

bool buffer_link(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	struct slot *x = slot_at(s, n->slot);
	n->stores = x->stores;
	if (is_buffered(&n->ev))
		return link_store(s, i);
	if (n->ev.kind == EV_LOAD)
		return link_load(s, i);
	if (n->ev.kind == EV_UPDATE && x->oldest) {
		struct node *st = node_at(s, x->oldest - 1);
		n->agent_prev = x->oldest;
		st->update = i + 1;
		x->oldest = st->agent_next;
	} else if (event_drains(&n->ev)) {
		x->stores = 0;
	}
	return true;
}

void buffer_unlink(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	struct slot *x = slot_at(s, n->slot);
	if (is_buffered(&n->ev))
		unlink_store(s, i);
	else if (n->ev.kind == EV_LOAD)
		unlink_load(s, i);
	else if (n->ev.kind == EV_UPDATE && n->agent_prev) {
		node_at(s, n->agent_prev - 1)->update = 0;
		x->oldest = n->agent_prev;
	}
	x->stores = n->stores;
}

uint32_t buffer_store_of(struct search *s, uint32_t i)
{
	return node_at(s, i)->agent_prev - 1;
}

uint32_t forwarded_next(struct search *s, const struct event *e, uint32_t *at)
{
	const struct forwarding *x = forwarding_at(s, *at - 1);
	uint64_t lo, hi, first, last;
	bool hit = false;
	*at = x->next;
	if (event_bytes(&node_at(s, x->load - 1)->ev, &lo, &hi) && event_bytes(e, &first, &last))
		for (uint64_t b = first > lo ? first : lo; b <= last && b <= hi && b - lo < FORWARD_BYTES; b++)
			hit |= x->bytes >> (b - lo) & 1;
	return hit ? x->load : 0;
}

/* ---- forced edges ---- */

void forced_look(struct search *s, struct forced *f, uint32_t at)
{
	const struct event *e = f->e;
	if (e->kind == EV_UPDATE) {
		uint32_t k = slot_of(s, e->thread);
		if (at != NO_INDEX && at < s->trace.analysed)
			f->store = node_at(s, at)->agent_prev;
		else if (k != NO_INDEX)
			f->store = slot_at(s, k)->oldest;
		f->own = f->store;
		f->next = f->store ? node_at(s, f->store - 1)->stores : 0;
	} else if (event_drains(e)) {
		uint32_t k = slot_of(s, e->thread);
		if (at != NO_INDEX && at < s->trace.analysed)
			f->next = node_at(s, at)->stores;
		else if (k != NO_INDEX)
			f->next = slot_at(s, k)->stores;
	}
}

/* Returns whether the UPDATE of STORE st comes before f->e in every schedule. */
static bool is_forced(struct search *s, const struct forced *f, const struct node *st)
{
	if (f->e->kind != EV_UPDATE)
		return true;
	if (event_agent(&st->ev) == f->e->thread)
		return false; /* an earlier event of the same agent */
	return st->update && events_dependent(&node_at(s, st->update - 1)->ev, f->e);
}

static unsigned epoch_of(const struct node *st)
{
	struct event update = {.result = (int32_t)event_stored(&st->ev)};
	return update_epoch(&update);
}

/* Returns whether the UPDATE of STORE `at`, and of each earlier STORE of the thread, already comes before the UPDATE of a STORE in
   f->e's past. Then the search can stop. What precedes a release comes before it, and what precedes a release fence comes before what
   follows the fence. The previous STORE in the same queue has STORE `at` in its past when both are on the same bytes. It also does when
   they are on different bytes, because then there is only one queue. */
static bool all_known(struct search *s, const struct forced *f, uint32_t at)
{
	const struct node *own = node_at(s, f->own - 1), *st = node_at(s, at - 1);
	uint64_t lo, hi, first, last;
	if (f->known) {
		const struct node *known = node_at(s, f->known - 1);
		if ((known->ev.flags & EVF_RELEASE) || epoch_of(known) != epoch_of(st))
			return true;
	}
	if (own->agent_prev <= at)
		return false;
	const struct node *prev = node_at(s, own->agent_prev - 1);
	if (!event_bytes(&prev->ev, &lo, &hi) || !event_bytes(&own->ev, &first, &last))
		return false;
	return lo != first || (!(own->ev.flags & EVF_RELEASE) && epoch_of(prev) == epoch_of(own) && last <= hi);
}

bool forced_more(struct search *s, struct forced *f, uint32_t *index)
{
	if (f->store) {
		*index = f->store - 1;
		f->store = 0;
		return true;
	}
	while (f->next) {
		uint32_t at = f->next;
		const struct node *st = node_at(s, at - 1);
		bool update = f->e->kind == EV_UPDATE, forced = is_forced(s, f, st);
		f->next = st->stores;
		if (update && all_known(s, f, at))
			f->next = forced = 0;
		else if (update && (forced || event_agent(&st->ev) == f->e->thread))
			f->known = at;
		if (!forced)
			continue;
		if (!st->update) {
			f->pending = true;
			continue;
		}
		*index = st->update - 1;
		return true;
	}
	return false;
}

/* ---- forwarding ---- */

static bool bytes_of(const struct event *e, uint64_t *lo, uint64_t *hi)
{
	return e->kind == EV_LOAD && event_bytes(e, lo, hi);
}

/* Marks the bytes [lo, ..) of f that STORE st wrote and no later STORE did. */
static void take_bytes(struct forward *f, uint64_t lo, uint64_t hi, const struct event *st)
{
	uint64_t first, last;
	if (!event_bytes(st, &first, &last))
		return;
	for (uint64_t b = first > lo ? first : lo; b <= last && b <= hi && b - lo < FORWARD_BYTES; b++)
		if (!f->from[b - lo]) {
			f->from[b - lo] = event_stored(st) + 1;
			f->any = 1;
		}
}

/* Sets *f to the bytes that event *e would read from its own buffer if it came right before position `before` (only a LOAD reads any).
   `stores`: index + 1 of the latest STORE of its thread. */
static void forward_at(struct search *s, const struct event *e, uint32_t stores, uint32_t before, struct forward *f)
{
	uint64_t lo, hi;
	f->any = 0;
	if (!stores || !bytes_of(e, &lo, &hi))
		return;
	memset(f, 0, sizeof *f);
	uint32_t floor = 0;
	for (uint32_t at = stores; at; at = older(s, at, before, &floor)) {
		const struct node *st = node_at(s, at - 1);
		if (!st->update || st->update - 1 >= before)
			take_bytes(f, lo, hi, &st->ev);
	}
}

void forward_of_load(struct search *s, uint32_t i, struct forward *f)
{
	forward_at(s, &node_at(s, i)->ev, node_at(s, i)->stores, i, f);
}

void forward_of_next_load(struct search *s, const struct event *e, struct forward *f)
{
	uint32_t k = slot_of(s, e->thread);
	forward_at(s, e, k == NO_INDEX ? 0 : slot_at(s, k)->stores, s->trace.analysed, f);
}

/* Returns whether this UPDATE was met on the way down the tree, though it is not among the items. */
static bool on_path(struct search *s, const struct event *update)
{
	const struct vec *path = &s->trace.scratch[SCRATCH_PATH];
	for (uint32_t d = 0; d < path->n; d++) {
		aref r = ((struct level *)vec_data(&s->core, path) + d)->taken;
		const struct event *e = r ? &wakeup_at(&s->core, r)->ev : NULL;
		if (e && e->kind == EV_UPDATE && e->thread == update->thread && e->result == update->result)
			return true;
	}
	return false;
}

static bool executed(struct search *s, const struct sequence *v, uint32_t k, struct use use, uint32_t update)
{
	if (update < v->start)
		return true;
	for (uint32_t lo = 0, hi = k < v->n ? k : v->n; lo < hi;) {
		uint32_t mid = (lo + hi) / 2;
		if (v->at[mid] == update)
			return v->state[mid] != ITEM_LEFT || use.left;
		if (v->at[mid] < update)
			lo = mid + 1;
		else
			hi = mid;
	}
	return on_path(s, &node_at(s, update)->ev);
}

void forward_in_sequence(struct search *s, const struct sequence *v, uint32_t k, struct use use, struct forward *f)
{
	const struct event *e = sequence_event(s, v, k);
	uint64_t lo, hi;
	uint32_t slot, stores = 0;
	f->any = 0;
	if (!s->trace.buffered || !bytes_of(e, &lo, &hi))
		return;
	memset(f, 0, sizeof *f);
	slot = slot_of(s, e->thread);
	if (k < v->n)
		stores = node_at(s, v->at[k])->stores;
	else if (v->last_at != NO_INDEX)
		stores = node_at(s, v->last_at)->stores;
	else if (slot != NO_INDEX)
		stores = slot_at(s, slot)->stores;
	uint32_t floor = 0;
	for (uint32_t at = stores; at; at = older(s, at, v->start, &floor)) {
		const struct node *st = node_at(s, at - 1);
		if (!st->update || !executed(s, v, k, use, st->update - 1))
			take_bytes(f, lo, hi, &st->ev);
	}
}

/* For each byte, counts STOREs minus UPDATEs of the thread since it last needed an empty buffer. A byte with a positive count is still
   in the buffer. */
void forward_unlinked(struct search *s, uint32_t i, struct forward *f)
{
	const struct event *e = &node_at(s, i)->ev;
	int32_t count[FORWARD_BYTES];
	uint64_t lo, hi, first, last;
	f->any = 0;
	if (!bytes_of(e, &lo, &hi) || !(e->flags & EVF_FORWARDED))
		return;
	memset(f, 0, sizeof *f);
	memset(count, 0, sizeof count);
	for (uint32_t at = i; at-- > 0;) {
		const struct event *d = &node_at(s, at)->ev;
		if (event_owner(d) != e->thread || d->kind == EV_LOAD)
			continue;
		if (event_drains(d))
			break;
		if (!event_bytes(d, &first, &last))
			continue;
		for (uint64_t b = first > lo ? first : lo; b <= last && b <= hi && b - lo < FORWARD_BYTES; b++)
			count[b - lo] += d->kind == EV_UPDATE ? -1 : 1;
	}
	for (unsigned b = 0; b < FORWARD_BYTES; b++)
		if (count[b] > 0)
			f->any = f->from[b] = 1;
}

void forward_over(struct forward *f, const struct event *q, const struct event *e)
{
	if (!f->any || e->kind != EV_UPDATE || update_owner(e) != q->thread)
		return;
	f->any = 0;
	for (unsigned b = 0; b < FORWARD_BYTES; b++) {
		if (f->from[b] == (uint32_t)e->result + 1)
			f->from[b] = 0;
		f->any |= f->from[b] != 0;
	}
}

/* ---- dependence ---- */

/* Returns whether the bytes that load e reads from memory overlap [lo, hi]. */
static bool reads(const struct event *e, const struct forward *f, uint64_t lo, uint64_t hi)
{
	uint64_t first, last;
	if (!event_bytes(e, &first, &last))
		return false;
	for (uint64_t b = first > lo ? first : lo; b <= last && b <= hi; b++)
		if (b - first >= FORWARD_BYTES || !f->from[b - first])
			return true;
	return false;
}

unsigned forward_left(const struct event *e, object_id o, const struct forward *f)
{
	unsigned bytes = chain_bytes(e, o);
	uint64_t cell = (uint64_t)(o & ~OBJECT_MEMORY) << 4;
	for (unsigned b = 0; f->any && b < 16; b++)
		if ((bytes >> b & 1) && !reads(e, f, cell + b, cell + b))
			bytes &= ~(1u << b);
	return bytes;
}

bool buffer_dependent(const struct event *q, const struct forward *qf, const struct event *x, const struct forward *xf)
{
	uint64_t lo, hi;
	if (!events_dependent(q, x))
		return false;
	if (q->thread == x->thread)
		return true;
	/* only a load reads from its buffer, and it depends on events of other threads only by memory, or because they end the process */
	if (qf->any && !(event_kind_flags(x->kind) & K_END) && event_bytes(x, &lo, &hi))
		return reads(q, qf, lo, hi);
	if (xf->any && !(event_kind_flags(q->kind) & K_END) && event_bytes(q, &lo, &hi))
		return reads(x, xf, lo, hi);
	return true;
}

bool buffer_holds(struct search *s, const struct event *e, const struct cut *c)
{
	uint32_t slot = slot_of(s, e->thread), at = slot == NO_INDEX ? 0 : slot_at(s, slot)->stores;
	uint32_t floor = 0, start = cut_start(c);
	uint64_t lo, hi, first, last;
	if (c->self != NO_INDEX)
		at = node_at(s, c->self)->stores;
	if (!at || !event_bytes(e, &lo, &hi))
		return false;
	for (; at; at = older(s, at, start, &floor)) {
		const struct node *st = node_at(s, at - 1);
		bool out = !st->update || cut_removes(s, c, st->update - 1);
		if (out && event_bytes(&st->ev, &first, &last) && first <= hi && lo <= last)
			return true;
	}
	return false;
}
