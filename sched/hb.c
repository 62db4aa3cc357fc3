/*
 * Happens-before; see hb.h.
 *
 * What a thread knows of the others is a clock. A thread that publishes (unlocks, posts, stores with release) hands out a
 * *mark*: a reference to its clock, as it is, and its own epoch, which then grows. That costs nothing but the reference; the
 * clock is copied when its thread learns something new while marks still refer to it. A thread that has seen the epoch of a
 * mark knows all of it already, so most locks are one comparison.
 */
#include "sched/hb.h"

#include <string.h>

#include "base/check.h"

struct clock {
	uint32_t refs, cap;
	uint32_t at[]; /* by thread: its latest epoch that happens before; what is missing is 0 */
};

/* What was published. `thread` knew `base` in its `epoch`; or, with NO_THREAD, several threads published and `base` is all that
   they knew, their own epochs included. Nothing was published: epoch 0. */
struct mark {
	struct clock *base;
	uint32_t epoch;
	thread_id thread;
};

struct hb_thread {
	struct clock *base; /* what it knows of others; its own component means nothing */
	uint32_t epoch;     /* 0: never mentioned, then 1 */
	struct mark poke;   /* by who cancelled it or sent it signals */
};

/* A token on its way, or a round of a barrier that not all have left. */
struct ticket {
	struct ticket *next;
	uint32_t seq, left;
	struct mark mark;
};

struct hb_object {
	struct mark write;  /* by REL, SEND, SIG and WRITE */
	struct mark shares; /* by RDREL and ARRIVE */
	uint32_t arrivals;  /* in the running round */
	struct ticket *tickets; /* by seq, oldest first */
};

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

struct hb {
	struct arena *arena;
	struct hb_thread *thread;
	struct hb_object *object;
	struct cell **cell; /* a hash table, chained */
	uint32_t threads, objects, cells, buckets;
};

/* ---- memory ---- */

static void *take(struct hb *h, uint64_t size)
{
	void *p = arena_ptr(h->arena, arena_alloc(h->arena, size));
	INVARIANT(p, "the arena is used up");
	return p;
}

static void give(struct hb *h, void *p, uint64_t size)
{
	if (p)
		arena_free(h->arena, (aref)(((char *)p - (char *)h->arena) / 8), size);
}

/* Makes room for element `need` of an array. */
static void *grow(struct hb *h, void *array, uint32_t *cap, uint32_t need, uint64_t size)
{
	uint32_t n = *cap ? *cap : 8;
	while (n <= need)
		n *= 2;
	void *more = take(h, n * size);
	if (array)
		memcpy(more, array, *cap * size);
	give(h, array, *cap * size);
	*cap = n;
	return more;
}

static struct hb_thread *thread_of(struct hb *h, thread_id t)
{
	if (t >= h->threads)
		h->thread = grow(h, h->thread, &h->threads, t, sizeof *h->thread);
	if (!h->thread[t].epoch)
		h->thread[t].epoch = 1;
	return &h->thread[t];
}

static struct hb_object *object_of(struct hb *h, object_id o)
{
	if (o >= h->objects)
		h->object = grow(h, h->object, &h->objects, o, sizeof *h->object);
	return &h->object[o];
}

struct hb *hb_init(struct arena *a)
{
	struct hb *h = arena_ptr(a, arena_alloc(a, sizeof *h));
	if (h)
		h->arena = a;
	return h;
}

/* ---- clocks ---- */

static uint64_t clock_bytes(uint32_t cap)
{
	return sizeof(struct clock) + cap * sizeof(uint32_t);
}

static void drop(struct hb *h, struct clock *c)
{
	if (c && --c->refs == 0)
		give(h, c, clock_bytes(c->cap));
}

static struct clock *keep(struct clock *c)
{
	if (c)
		c->refs++;
	return c;
}

static uint32_t clock_at(const struct clock *c, thread_id t)
{
	return c && t < c->cap ? c->at[t] : 0;
}

/* *c becomes a clock that nobody else refers to, with room for `cap` threads. */
static void make_own(struct hb *h, struct clock **c, uint32_t cap)
{
	struct clock *old = *c;
	if (old && old->refs == 1 && old->cap >= cap)
		return;
	uint32_t n = old ? old->cap : 2;
	while (n < cap)
		n += n + 2; /* 2, 6, 14: with the header a power of two */
	struct clock *new = take(h, clock_bytes(n));
	new->refs = 1;
	new->cap = n;
	if (old)
		memcpy(new->at, old->at, old->cap * sizeof *old->at);
	drop(h, old);
	*c = new;
}

static void raise(struct clock *c, thread_id t, uint32_t epoch)
{
	if (c->at[t] < epoch)
		c->at[t] = epoch;
}

static void merge(struct hb *h, struct clock **to, const struct clock *from)
{
	if (!from || *to == from)
		return;
	make_own(h, to, from->cap);
	for (uint32_t t = 0; t < from->cap; t++)
		raise(*to, (thread_id)t, from->at[t]);
}

uint32_t hb_epoch(const struct hb *h, thread_id t)
{
	return t < h->threads && h->thread[t].epoch ? h->thread[t].epoch : 1;
}

uint32_t hb_seen(const struct hb *h, thread_id t, thread_id of)
{
	return t < h->threads ? clock_at(h->thread[t].base, of) : 0;
}

/* ---- marks ---- */

/* Does t know all that the mark stands for? */
static bool knows(const struct hb *h, thread_id t, const struct mark *m)
{
	if (!m->epoch)
		return true;
	if (m->thread != NO_THREAD)
		return m->thread == t || hb_seen(h, t, m->thread) >= m->epoch;
	for (uint32_t i = 0; i < m->base->cap; i++)
		if (m->base->at[i] > (i == t ? hb_epoch(h, t) : hb_seen(h, t, (thread_id)i)))
			return false;
	return true;
}

/* What was published happens before what t does from now on. */
static void learn(struct hb *h, thread_id t, const struct mark *m)
{
	struct clock **mine = &h->thread[t].base;
	if (knows(h, t, m))
		return;
	merge(h, mine, m->base);
	if (m->thread != NO_THREAD) {
		make_own(h, mine, m->thread + 1u);
		raise(*mine, m->thread, m->epoch);
	}
}

static void forget(struct hb *h, struct mark *m)
{
	drop(h, m->base);
	*m = (struct mark){ .base = NULL };
}

/* Adds all that t knows and did to the mark. The caller ends t's epoch. */
static void publish(struct hb *h, thread_id t, struct mark *m)
{
	const struct hb_thread *me = &h->thread[t];
	if (knows(h, t, m)) {
		struct clock *old = m->base;
		*m = (struct mark){ .base = keep(me->base), .epoch = me->epoch, .thread = t };
		drop(h, old);
		return;
	}
	thread_id before = m->thread;
	uint32_t most = before != NO_THREAD && before > t ? before : t;
	make_own(h, &m->base, most + 1u);
	merge(h, &m->base, me->base);
	raise(m->base, t, me->epoch);
	if (before != NO_THREAD)
		raise(m->base, before, m->epoch);
	m->thread = NO_THREAD;
}

/* ---- tokens and rounds ---- */

static struct ticket *new_ticket(struct hb *h, struct hb_object *o, uint32_t seq)
{
	struct ticket *x = take(h, sizeof *x), **link = &o->tickets;
	while (*link)
		link = &(*link)->next;
	*link = x;
	x->seq = seq;
	return x;
}

static void drop_ticket(struct hb *h, struct ticket **link)
{
	struct ticket *x = *link;
	*link = x->next;
	forget(h, &x->mark);
	give(h, x, sizeof *x);
}

/* Token n is taken: its post, and with it those before, happen before this. Tokens are taken in order. */
static void receive(struct hb *h, thread_id t, struct hb_object *o, uint32_t n)
{
	while (o->tickets && (int32_t)(o->tickets->seq - n) <= 0) {
		learn(h, t, &o->tickets->mark);
		drop_ticket(h, &o->tickets);
	}
}

/* A semaphore that is initialised again: what was posted before is gone. */
static void forget_tokens(struct hb *h, struct hb_object *o)
{
	while (o->tickets)
		drop_ticket(h, &o->tickets);
	forget(h, &o->write);
}

static void pass(struct hb *h, thread_id t, struct hb_object *o, uint32_t round)
{
	for (struct ticket **link = &o->tickets; *link; link = &(*link)->next) {
		if ((*link)->seq != round)
			continue;
		learn(h, t, &(*link)->mark);
		if (--(*link)->left == 0)
			drop_ticket(h, link);
		return;
	}
}

static void complete(struct hb *h, thread_id t, struct hb_object *o, uint32_t round)
{
	if (o->arrivals) {
		struct ticket *x = new_ticket(h, o, round);
		x->left = o->arrivals;
		publish(h, t, &x->mark);
	}
	o->arrivals = 0;
	forget(h, &o->shares);
}

/* ---- bytes of memory ---- */

static struct cell **bucket(const struct hb *h, object_id id)
{
	return &h->cell[(id * UINT32_C(0x9e3779b1) >> 8) & (h->buckets - 1)];
}

static void more_buckets(struct hb *h)
{
	struct cell **old = h->cell;
	uint32_t n = h->buckets;
	h->buckets = n ? n * 4 : 16;
	h->cell = take(h, h->buckets * sizeof *h->cell);
	for (uint32_t i = 0; i < n; i++)
		for (struct cell *c = old[i], *next; c; c = next) {
			struct cell **b = bucket(h, c->id);
			next = c->next;
			c->next = *b;
			*b = c;
		}
	give(h, old, n * sizeof *old);
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
	c = take(h, sizeof *c);
	c->id = id;
	c->next = *bucket(h, id);
	*bucket(h, id) = c;
	h->cells++;
	return c;
}

static struct span *add_span(struct hb *h, struct cell *c, uint32_t bytes)
{
	struct span *s = take(h, sizeof *s);
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
		forget(h, &s->mark);
		give(h, s, sizeof *s);
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
			keep(rest->mark.base);
			s->bytes = both;
		}
		publish(h, t, &s->mark);
		bytes &= ~both;
	}
	if (bytes)
		publish(h, t, &add_span(h, c, bytes)->mark);
}

static void acquire_bytes(struct hb *h, thread_id t, object_id id, uint32_t bytes)
{
	const struct cell *c = find_cell(h, id);
	for (const struct span *s = c ? c->spans : NULL; s; s = s->next)
		if (s->bytes & bytes)
			learn(h, t, &s->mark);
}

/* true: something was published. */
static bool memory_event(struct hb *h, const struct event *e)
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

/* ---- events ---- */

/* WRITE is also what initialising and destroying are: those tell nobody anything. */
static bool write_synchronises(unsigned kind)
{
	return kind == EV_THREAD_DETACH || kind == EV_FD_OTHER || kind == EV_FUTEX_REQUEUE;
}

static bool read_synchronises(unsigned kind)
{
	return kind == EV_ONCE_ENTER || kind == EV_FD_POLL;
}

static void acquire(struct hb *h, const struct event *e, int i)
{
	struct hb_object *o = object_of(h, e->obj[i]);
	thread_id t = e->thread;
	switch ((enum access_mode)e->mode[i]) {
	case M_ACQ:
		learn(h, t, &o->write);
		learn(h, t, &o->shares);
		break;
	case M_RDACQ:
	case M_TAKE:
		learn(h, t, &o->write);
		break;
	case M_LAST:
		learn(h, t, &o->shares);
		break;
	case M_PASS:
		pass(h, t, o, e->seq);
		break;
	case M_RECV:
		receive(h, t, o, e->seq);
		break;
	case M_READ:
		if (read_synchronises(e->kind))
			learn(h, t, &o->write);
		break;
	case M_WRITE:
		if (write_synchronises(e->kind))
			learn(h, t, &o->write);
		break;
	case M_NONE:
	case M_REL:
	case M_RDREL:
	case M_SEND:
	case M_ARRIVE:
	case M_ENQ:
	case M_SIG:
	case M_DEQ:
	case M_POKE:
	case M_COUNT:
		break;
	}
}

/* true: something was published. */
static bool release(struct hb *h, const struct event *e, int i)
{
	struct hb_object *o = object_of(h, e->obj[i]);
	thread_id t = e->thread;
	switch ((enum access_mode)e->mode[i]) {
	case M_REL:
	case M_SIG:
		publish(h, t, &o->write);
		return true;
	case M_RDREL:
		publish(h, t, &o->shares);
		return true;
	case M_SEND: {
		struct ticket *x = new_ticket(h, o, e->seq);
		publish(h, t, &o->write);
		x->mark = o->write;
		keep(x->mark.base);
		return true;
	}
	case M_ARRIVE:
		publish(h, t, &o->shares);
		o->arrivals++;
		return true;
	case M_LAST:
		complete(h, t, o, e->seq);
		return true;
	case M_WRITE:
		if (e->kind == EV_SEM_INIT)
			forget_tokens(h, o);
		if (!write_synchronises(e->kind))
			return false;
		publish(h, t, &o->write);
		return true;
	case M_POKE:
		if (e->kind != EV_SIGNAL_SEND && e->kind != EV_THREAD_CANCEL)
			return false;
		thread_of(h, (thread_id)e->seq);
		publish(h, t, &h->thread[e->seq].poke);
		return true;
	case M_NONE:
	case M_READ:
	case M_ACQ:
	case M_RDACQ:
	case M_RECV:
	case M_PASS:
	case M_ENQ:
	case M_TAKE:
	case M_DEQ:
	case M_COUNT:
		break;
	}
	return false;
}

static bool create(struct hb *h, thread_id parent, uint32_t child)
{
	struct mark m = { .base = NULL };
	if (child >= NO_THREAD)
		return false;
	thread_of(h, (thread_id)child);
	publish(h, parent, &m);
	learn(h, (thread_id)child, &m);
	forget(h, &m);
	return true;
}

void hb_event(struct hb *h, const struct event *e)
{
	thread_id t = e->thread;
	bool memory = event_kind_object(e->kind) == OBJ_MEMORY, published = false;
	thread_of(h, t);
	if (e->kind == EV_SIGNAL_HANDLER || e->kind == EV_THREAD_CANCELLED || e->kind == EV_SIGNAL_WAIT)
		learn(h, t, &h->thread[t].poke);
	if ((e->flags & EVF_FAILED) && !memory)
		return;
	for (int i = 0; i < 2 && !memory; i++)
		if (e->obj[i] && !object_is_memory(e->obj[i]))
			acquire(h, e, i);
	published |= memory_event(h, e);
	for (int i = 0; i < 2 && !memory; i++)
		if (e->obj[i] && !object_is_memory(e->obj[i]))
			published |= release(h, e, i);
	if (e->kind == EV_THREAD_CREATE)
		published |= create(h, t, e->seq);
	h->thread[t].epoch += published;
}
