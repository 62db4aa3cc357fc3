/* Bytes of memory that hold what was published there, for those that acquire it; see hb_internal.h. */
#include "base/check.h"
#include "base/hash.h"
#include "sched/hb_internal.h"

/* Bytes of one cell that hold the same mark. The spans of a cell do not overlap. */
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
	return &h->cell[(hash_spread(id) >> 40) & (h->buckets - 1)];
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

/* Removes what was published at the bytes: a store overwrites them. */
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

/* For a read-modify-write: adds the mark to what was published at the bytes before. */
static void carry_too(struct hb *h, object_id id, uint32_t bytes, const struct mark *m)
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
		hb_add(h, &s->mark, m);
		bytes &= ~both;
	}
	if (bytes)
		hb_add(h, &add_span(h, c, bytes)->mark, m);
}

/* ---- events ---- */

struct range {
	uint64_t lo, hi; /* as in event_bytes */
};

/* The bytes of a range that lie in the cell. */
static uint32_t in_cell(const struct range *r, uint64_t cell)
{
	unsigned first = cell == r->lo >> 4 ? r->lo & 15 : 0, last = cell == r->hi >> 4 ? r->hi & 15 : 15;
	return (2u << last) - (1u << first);
}

/* t reads: it acquires what was published at the bytes, now or at its next acquire fence. */
static void read_bytes(struct hb *h, thread_id t, const struct range *r, bool acquire)
{
	for (uint64_t at = r->lo >> 4; at <= r->hi >> 4; at++) {
		const struct cell *c = find_cell(h, (object_id)at);
		for (const struct span *s = c ? c->spans : NULL; s; s = s->next) {
			if (!(s->bytes & in_cell(r, at)))
				continue;
			if (acquire)
				hb_acquire(h, t, &s->mark);
			else
				hb_hear(h, t, &s->mark);
		}
	}
}

/* t reads an older store, which is event `step`. */
static void read_older(struct hb *h, thread_id t, uint32_t step, bool acquire)
{
	const struct mark *m = hb_store_published(h, step);
	if (m && acquire)
		hb_acquire(h, t, m);
	else if (m)
		hb_hear(h, t, m);
}

/* The latest event is a store that has written the bytes and publishes what they hold now. */
static void keep_store(struct hb *h, const struct range *r)
{
	for (uint64_t at = r->lo >> 4; at <= r->hi >> 4; at++) {
		const struct cell *c = find_cell(h, (object_id)at);
		for (const struct span *s = c ? c->spans : NULL; s; s = s->next)
			if (s->bytes & in_cell(r, at))
				hb_store_publishes(h, h->events, &s->mark);
	}
}

/* The latest event is a store that is placed before the latest one of its bytes. A read-modify-write also publishes
   what the store that it reads published. */
static void keep_older(struct hb *h, const struct event *e, const struct mark *m)
{
	const struct mark *read = e->kind == EV_RMW ? hb_store_published(h, event_reads_from(e)) : NULL;
	hb_store_publishes(h, h->events, m);
	if (read) {
		struct mark copy = *read; /* the array may move */
		hb_store_publishes(h, h->events, &copy);
	}
}

/* The bytes are written, and the mark is published there. */
static void write_bytes(struct hb *h, const struct range *r, bool rmw, const struct mark *m)
{
	for (uint64_t at = r->lo >> 4; at <= r->hi >> 4; at++) {
		if (!rmw)
			overwrite(h, (object_id)at, in_cell(r, at));
		if (m->epoch)
			carry_too(h, (object_id)at, in_cell(r, at), m);
	}
}

/* What a write publishes. *all: it is all that its thread knows, and ends the thread's epoch. */
static struct mark carried(const struct hb *h, const struct event *e, bool call, bool *all)
{
	const struct hb_thread *t = &h->thread[e->thread];
	*all = call || (e->flags & EVF_RELEASE);
	if (*all)
		return hb_knowledge(h, e->thread);
	if (e->flags & EVF_PLAIN)
		return (struct mark){ .base = NULL }; /* C11: fences need atomics */
	return e->flags & EVF_ATOMIC ? t->fence : t->drained;
}

static void into_buffer(struct hb *h, const struct event *e, const struct mark *m)
{
	struct stored *s = hb_take(h, sizeof *s), **link = &h->thread[e->thread].buffer;
	while (*link)
		link = &(*link)->next;
	*link = s;
	s->agent = event_agent(e);
	s->mark = *m;
	hb_keep(m->base);
}

static void out_of_buffer(struct hb *h, const struct event *e, const struct range *r)
{
	thread_id owner = update_owner(e);
	struct stored **link = owner < h->threads ? &h->thread[owner].buffer : NULL, *s;
	while (link && *link && (*link)->agent != e->thread)
		link = &(*link)->next;
	INVARIANT(link && *link, "an update of a store that nobody made");
	s = *link;
	write_bytes(h, r, false, &s->mark);
	*link = s->next;
	hb_forget(h, &s->mark);
	hb_give(h, s, sizeof *s);
}

bool hb_memory_event(struct hb *h, const struct event *e)
{
	struct range r;
	if (!event_bytes(e, &r.lo, &r.hi))
		return false;
	if (e->kind == EV_UPDATE) {
		out_of_buffer(h, e, &r);
		return false;
	}
	bool call = event_kind_object(e->kind) != OBJ_MEMORY; /* an access of the library itself: a guard that says `done` */
	unsigned mode = event_bytes_mode(e);
	bool forwarded = event_forwarded(e); /* unknown for which bytes, so it acquires nothing */
	bool blind = e->kind == EV_STORE || mode == M_ADD; /* its thread does not see what was there */
	if (!call && !blind && !forwarded && (e->flags & (EVF_ACQUIRE | EVF_PLAIN)) != EVF_PLAIN)
		alternative_is_older(e->alt) ? read_older(h, e->thread, event_reads_from(e), e->flags & EVF_ACQUIRE)
					     : read_bytes(h, e->thread, &r, e->flags & EVF_ACQUIRE);
	if (!mode_changes_bytes(mode) && mode != M_BUFFER)
		return false;
	bool all;
	struct mark m = carried(h, e, call, &all);
	if (mode == M_BUFFER)
		into_buffer(h, e, &m);
	else if (alternative_is_older(e->alt))
		keep_older(h, e, &m);
	else
		write_bytes(h, &r, e->kind == EV_RMW, &m);
	if (h->older && !alternative_is_older(e->alt))
		keep_store(h, &r);
	return all;
}
