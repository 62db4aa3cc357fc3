/*
 * Happens-before and dependence under RC11, as clocks (rc11.h).
 *
 * A load that acquires joins the message of the store that it reads; a relaxed load keeps it for a later acquire fence.
 * The message of a store that releases is everything before it; that of a relaxed one is what the thread's latest
 * release fence published. A read-modify-write adds the message of the store that it reads, since it continues that
 * store's release sequence. A plain store has no message, and a plain load keeps none: only atomic accesses
 * synchronize. A CALL depends on those before it in its chain, and synchronizes with what rc11_depends says.
 */
#include <string.h>

#include "sched/rc11.h"

static bool acquires(const struct rc11_event *e)
{
	return e->order == RC11_CONSUME || e->order == RC11_ACQUIRE || e->order == RC11_ACQ_REL || e->order == RC11_SEQ_CST;
}

static bool releases(const struct rc11_event *e)
{
	return e->order == RC11_RELEASE || e->order == RC11_ACQ_REL || e->order == RC11_SEQ_CST;
}

static void join(const struct rc11 *g, uint32_t *clock, const uint32_t *other)
{
	for (uint32_t t = 0; t < g->limits.threads; t++)
		if (clock[t] < other[t])
			clock[t] = other[t];
}

static void copy(const struct rc11 *g, uint32_t *clock, const uint32_t *other)
{
	memcpy(clock, other, g->limits.threads * sizeof *clock);
}

/* Starts the clocks of event i with those of the thread's event before it. */
static void inherit(const struct rc11 *g, uint32_t i)
{
	const struct rc11_event *e = rc11_event(g, i);
	for (enum rc11_clock c = RC11_HB; c < RC11_MESSAGE; c++) {
		if (e->before)
			copy(g, rc11_clock(g, i, c), rc11_clock(g, e->before - 1, c));
		else
			memset(rc11_clock(g, i, c), 0, g->limits.threads * sizeof(uint32_t));
	}
	rc11_clock(g, i, RC11_HB)[e->op.thread] = rc11_clock(g, i, RC11_PAST)[e->op.thread] = e->number;
}

static bool creates(const struct rc11_event *e, uint32_t thread)
{
	return e->op.kind == RC11_CREATE && e->op.other == thread;
}

/* Event i, a START or JOIN, comes after the creation of its thread, or after the last event of the other one. */
static void follow(const struct rc11 *g, uint32_t i)
{
	const struct rc11_op *op = &rc11_event(g, i)->op;
	uint32_t last = op->other < g->limits.threads ? rc11_last(g)[op->other] : 0;
	while (op->kind == RC11_START && last && !creates(rc11_event(g, last - 1), op->thread))
		last = rc11_event(g, last - 1)->before;
	if (!last)
		return;
	join(g, rc11_clock(g, i, RC11_HB), rc11_clock(g, last - 1, RC11_HB));
	join(g, rc11_clock(g, i, RC11_PAST), rc11_clock(g, last - 1, RC11_PAST));
}

static void read_store(const struct rc11 *g, uint32_t i, uint32_t store)
{
	if (!store)
		return;
	const uint32_t *message = rc11_clock(g, store - 1, RC11_MESSAGE);
	join(g, rc11_clock(g, i, RC11_PAST), rc11_clock(g, store - 1, RC11_PAST));
	if (rc11_event(g, i)->op.kind == RC11_CALL)
		return;
	if (!rc11_is_plain(rc11_event(g, i)))
		join(g, rc11_clock(g, i, RC11_ACQUIRED), message);
	if (acquires(rc11_event(g, i)))
		join(g, rc11_clock(g, i, RC11_HB), message);
}

static void publish(const struct rc11 *g, uint32_t i)
{
	const struct rc11_event *e = rc11_event(g, i);
	uint32_t *message = rc11_clock(g, i, RC11_MESSAGE);
	if (rc11_is_plain(e) || e->op.kind == RC11_CALL) {
		memset(message, 0, g->limits.threads * sizeof *message);
		return;
	}
	copy(g, message, rc11_clock(g, i, releases(e) ? RC11_HB : RC11_RELEASED));
	if (e->reads && e->reads_from && !(g->without & RC11_WITHOUT_RELEASE_SEQUENCE))
		join(g, message, rc11_clock(g, e->reads_from - 1, RC11_MESSAGE));
}

static void fence(const struct rc11 *g, uint32_t i)
{
	const struct rc11_event *e = rc11_event(g, i);
	if (g->without & RC11_WITHOUT_FENCES)
		return;
	if (acquires(e))
		join(g, rc11_clock(g, i, RC11_HB), rc11_clock(g, i, RC11_ACQUIRED));
	if (releases(e))
		copy(g, rc11_clock(g, i, RC11_RELEASED), rc11_clock(g, i, RC11_HB));
}

void rc11_knows(struct rc11 *g, uint32_t i, const uint32_t *clock)
{
	join(g, rc11_clock(g, i, RC11_HB), clock);
	join(g, rc11_clock(g, i, RC11_PAST), clock);
}

/* Returns index + 1 of the event of thread t with this number; 0: none. */
static uint32_t numbered(const struct rc11 *g, uint32_t t, uint32_t number)
{
	uint32_t at = number ? rc11_last(g)[t] : 0;
	while (at && rc11_event(g, at - 1)->number > number)
		at = rc11_event(g, at - 1)->before;
	return at;
}

void rc11_depends(struct rc11 *g, uint32_t i, const uint32_t *clock)
{
	rc11_knows(g, i, clock);
	for (uint32_t t = 0; t < g->limits.threads; t++) {
		uint32_t at = t == rc11_event(g, i)->op.thread ? 0 : numbered(g, t, clock[t]);
		if (at)
			join(g, rc11_clock(g, i, RC11_PAST), rc11_clock(g, at - 1, RC11_PAST));
	}
}

void rc11_views(struct rc11 *g)
{
	uint32_t i = g->n - 1;
	const struct rc11_event *e = rc11_event(g, i);
	inherit(g, i);
	if (e->op.kind == RC11_START || e->op.kind == RC11_JOIN)
		follow(g, i);
	if (e->op.kind == RC11_FENCE)
		fence(g, i);
	if (e->reads)
		read_store(g, i, e->reads_from);
	if (e->writes)
		publish(g, i);
}
