/* What threads know, and what they publish; see hb_internal.h. */
#include "sched/hb_internal.h"

#include <string.h>

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

/* *c becomes a clock that nobody else refers to, with room for `cap` threads. */
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

void hb_learn(struct hb *h, thread_id t, const struct mark *m)
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

void hb_forget(struct hb *h, struct mark *m)
{
	drop(h, m->base);
	*m = (struct mark){ .base = NULL };
}

void hb_publish(struct hb *h, thread_id t, struct mark *m)
{
	const struct hb_thread *me = &h->thread[t];
	if (knows(h, t, m)) {
		struct clock *old = m->base;
		*m = (struct mark){ .base = hb_keep(me->base), .epoch = me->epoch, .thread = t };
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
