/* Bytes of memory that were stored with release, and who acquires them; see hb_internal.h. */
#include "sched/hb_internal.h"

/* Bytes of one cell that were stored with release. Those of one cell do not overlap. */
struct span {
	struct span *next;
	uint32_t bytes; /* bit mask */
	struct mark mark;
};

struct cell {
	struct cell *next;
	object_id id;
	struct span *spans;
};

static struct cell **bucket(const struct hb *h, object_id id)
{
	return &h->cell[(id * UINT32_C(0x9e3779b1) >> 8) & (h->buckets - 1)];
}

static void more_buckets(struct hb *h)
{
	struct cell **old = h->cell;
	uint32_t n = h->buckets;
	h->buckets = n ? n * 4 : 16;
	h->cell = hb_take(h, h->buckets * sizeof *h->cell);
	for (uint32_t i = 0; i < n; i++)
		for (struct cell *c = old[i], *next; c; c = next) {
			struct cell **b = bucket(h, c->id);
			next = c->next;
			c->next = *b;
			*b = c;
		}
	hb_give(h, old, n * sizeof *old);
}

static struct cell *find_cell(const struct hb *h, object_id id)
{
	struct cell *c = h->buckets ? *bucket(h, id) : NULL;
	while (c && c->id != id)
		c = c->next;
	return c;
}

static struct cell *cell_of(struct hb *h, object_id id)
{
	struct cell *c = find_cell(h, id);
	if (c)
		return c;
	if (h->cells >= h->buckets)
		more_buckets(h);
	c = hb_take(h, sizeof *c);
	c->id = id;
	c->next = *bucket(h, id);
	*bucket(h, id) = c;
	h->cells++;
	return c;
}

static struct span *add_span(struct hb *h, struct cell *c, uint32_t bytes)
{
	struct span *s = hb_take(h, sizeof *s);
	s->bytes = bytes;
	s->next = c->spans;
	c->spans = s;
	return s;
}

/* A store without release ends what was published there. */
static void overwrite(struct hb *h, object_id id, uint32_t bytes)
{
	struct cell *c = find_cell(h, id);
	for (struct span **link = c ? &c->spans : NULL, *s; c && (s = *link);) {
		s->bytes &= ~bytes;
		if (s->bytes) {
			link = &s->next;
			continue;
		}
		*link = s->next;
		hb_forget(h, &s->mark);
		hb_give(h, s, sizeof *s);
	}
}

/* A read-modify-write with release adds to what was published there: the bytes carry on both. */
static void release_more(struct hb *h, thread_id t, object_id id, uint32_t bytes)
{
	struct cell *c = cell_of(h, id);
	for (struct span *s = c->spans; s; s = s->next) {
		uint32_t both = s->bytes & bytes;
		if (!both)
			continue;
		if (s->bytes != both) {
			struct span *rest = add_span(h, c, s->bytes & ~both);
			rest->mark = s->mark;
			hb_keep(rest->mark.base);
			s->bytes = both;
		}
		hb_publish(h, t, &s->mark);
		bytes &= ~both;
	}
	if (bytes)
		hb_publish(h, t, &add_span(h, c, bytes)->mark);
}

static void acquire_bytes(struct hb *h, thread_id t, object_id id, uint32_t bytes)
{
	const struct cell *c = find_cell(h, id);
	for (const struct span *s = c ? c->spans : NULL; s; s = s->next)
		if (s->bytes & bytes)
			hb_learn(h, t, &s->mark);
}

bool hb_memory_event(struct hb *h, const struct event *e)
{
	uint64_t lo, hi;
	bool rmw = e->kind == EV_RMW, released = false;
	if (!event_bytes(e, &lo, &hi))
		return false;
	bool call = event_kind_object(e->kind) != OBJ_MEMORY; /* the library's own access: a guard that says `done` */
	bool writes = e->mode[object_is_memory(e->obj[0]) ? 0 : 1] == M_WRITE;
	bool acquires = !call && (e->flags & EVF_ACQUIRE) && e->kind != EV_STORE;
	bool releases = writes && (call || (e->flags & EVF_RELEASE));
	for (uint64_t at = lo >> 4; at <= hi >> 4; at++) {
		unsigned first = at == lo >> 4 ? lo & 15 : 0, last = at == hi >> 4 ? hi & 15 : 15;
		if (acquires)
			acquire_bytes(h, e->thread, (object_id)at, (2u << last) - (1u << first));
	}
	for (uint64_t at = lo >> 4; writes && at <= hi >> 4; at++) {
		unsigned first = at == lo >> 4 ? lo & 15 : 0, last = at == hi >> 4 ? hi & 15 : 15;
		uint32_t bytes = (2u << last) - (1u << first);
		if (!rmw)
			overwrite(h, (object_id)at, bytes);
		if (releases)
			release_more(h, e->thread, (object_id)at, bytes);
		released |= releases;
	}
	return released;
}
