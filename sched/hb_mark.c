/* What threads know, and what they publish; see hb_internal.h. */
#include <string.h>

#include "base/check.h"
#include "sched/hb_internal.h"

/* ---- memory ---- */

void *hb_take(struct hb *h, uint64_t size)
{
	void *p = arena_ptr(h->arena, arena_alloc(h->arena, size));
	INVARIANT(p, "the arena is used up");
	return p;
}

void hb_give(struct hb *h, void *p, uint64_t size)
{
	if (p)
		arena_free(h->arena, (aref)(((char *)p - (char *)h->arena) / 8), size);
}

/* ---- clocks ---- */

static uint64_t clock_bytes(uint32_t cap)
{
	return sizeof(struct clock) + cap * sizeof(uint32_t);
}

static void drop(struct hb *h, struct clock *c)
{
	if (c && --c->refs == 0)
		hb_give(h, c, clock_bytes(c->cap));
}

struct clock *hb_keep(struct clock *c)
{
	if (c)
		c->refs++;
	return c;
}

static uint32_t clock_at(const struct clock *c, thread_id t)
{
	return c && t < c->cap ? c->at[t] : 0;
}

/* Makes *c a clock with a single reference and room for `cap` threads. */
static void make_own(struct hb *h, struct clock **c, uint32_t cap)
{
	struct clock *old = *c;
	if (old && old->refs == 1 && old->cap >= cap)
		return;
	uint32_t n = old ? old->cap : 2;
	while (n < cap)
		n += n + 2; /* 2, 6, 14: with the header a power of two */
	struct clock *new = hb_take(h, clock_bytes(n));
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

static uint32_t mark_at(const struct mark *m, thread_id t)
{
	return m->thread == t ? m->epoch : clock_at(m->base, t);
}

/* Returns whether `a` publishes everything that `b` does. A thread that has seen another thread's epoch knows what was published in it. */
static bool covers(const struct mark *a, const struct mark *b)
{
	if (!b->epoch)
		return true;
	if (b->thread != NO_THREAD)
		return mark_at(a, b->thread) >= b->epoch;
	for (uint32_t i = 0; i < b->base->cap; i++)
		if (b->base->at[i] > mark_at(a, (thread_id)i))
			return false;
	return true;
}

struct mark hb_knowledge(const struct hb *h, thread_id t)
{
	return (struct mark){ .base = h->thread[t].base, .epoch = h->thread[t].epoch, .thread = t };
}

void hb_acquire(struct hb *h, thread_id t, const struct mark *m)
{
	struct clock **mine = &h->thread[t].base;
	struct mark known = hb_knowledge(h, t);
	if (covers(&known, m))
		return;
	merge(h, mine, m->base);
	if (m->thread != NO_THREAD) {
		make_own(h, mine, m->thread + 1u);
		raise(*mine, m->thread, m->epoch);
	}
}

void hb_forget(struct hb *h, struct mark *m)
{
	drop(h, m->base);
	*m = (struct mark){ .base = NULL };
}

void hb_add(struct hb *h, struct mark *to, const struct mark *from)
{
	if (covers(to, from))
		return;
	if (covers(from, to)) {
		struct clock *old = to->base;
		*to = *from;
		hb_keep(to->base);
		drop(h, old);
		return;
	}
	thread_id one = to->thread, other = from->thread;
	make_own(h, &to->base, (one != NO_THREAD ? one + 1u : 1));
	merge(h, &to->base, from->base);
	if (other != NO_THREAD) {
		make_own(h, &to->base, other + 1u);
		raise(to->base, other, from->epoch);
	}
	if (one != NO_THREAD)
		raise(to->base, one, to->epoch);
	to->thread = NO_THREAD;
}

void hb_hear(struct hb *h, thread_id t, const struct mark *m)
{
	struct mark known = hb_knowledge(h, t);
	if (!covers(&known, m))
		hb_add(h, &h->thread[t].heard, m);
}

void hb_publish(struct hb *h, thread_id t, struct mark *m)
{
	struct mark all = hb_knowledge(h, t);
	hb_add(h, m, &all);
}
