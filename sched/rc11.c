/* The events of an execution under RC11: adding and removing them (rc11.h). */
#include "sched/rc11.h"

#include <string.h>

#include "base/check.h"

static size_t aligned(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

/* Fills the fields that say where the arrays begin. Returns the number of bytes of all. */
static size_t lay_out(struct rc11 *g, struct rc11_limits l)
{
	size_t at = aligned(sizeof *g);
	g->events_at = at;
	at += (size_t)l.events * sizeof(struct rc11_event);
	g->places_at = at;
	at += (size_t)l.places * sizeof(struct rc11_place);
	g->last_at = at;
	at += aligned((size_t)l.threads * sizeof(uint32_t));
	g->first_fence_at = at;
	at += aligned((size_t)l.threads * sizeof(uint32_t));
	g->clocks_at = at;
	at += aligned((size_t)l.events * RC11_CLOCKS * l.threads * sizeof(uint32_t));
	g->reach_at = at;
	return at + (size_t)l.threads * RC11_REACH_BYTES;
}

size_t rc11_bytes(struct rc11_limits limits)
{
	struct rc11 g;
	return lay_out(&g, limits);
}

void rc11_init(struct rc11 *g, struct rc11_limits limits)
{
	memset(g, 0, sizeof *g);
	lay_out(g, limits);
	g->limits = limits;
	memset(rc11_last(g), 0, limits.threads * sizeof(uint32_t));
	memset(rc11_first_fence(g), 0, limits.threads * sizeof(uint32_t));
}

uint32_t rc11_place(struct rc11 *g, uint64_t value)
{
	if (g->places == g->limits.places)
		return UINT32_MAX;
	*rc11_place_at(g, g->places) = (struct rc11_place){.value = value};
	return g->places++;
}

void rc11_clear(struct rc11 *g)
{
	while (g->n)
		rc11_pop(g);
}

static uint64_t cut_to(uint64_t value, unsigned size)
{
	return size >= 8 ? value : value & ((1ull << 8 * size) - 1);
}

static uint64_t updated(const struct rc11_op *op, uint64_t found)
{
	switch ((enum rc11_update)op->update) {
	case RC11_EXCHANGE: return op->operand;
	case RC11_ADD: return found + op->operand;
	case RC11_SUB: return found - op->operand;
	case RC11_AND: return found & op->operand;
	case RC11_OR: return found | op->operand;
	case RC11_XOR: return found ^ op->operand;
	case RC11_NAND: return ~(found & op->operand);
	}
	INVARIANT(false, "update %u", op->update);
}

/* Sets what the event found and writes, and the order that counts. */
static void perform(const struct rc11 *g, struct rc11_event *e, uint32_t store)
{
	const struct rc11_op *op = &e->op;
	e->order = op->order;
	if (rc11_reading(op)) {
		e->reads = 1;
		e->reads_from = store;
		e->found = cut_to(store ? rc11_event(g, store - 1)->written : rc11_place_at(g, op->place)->value, op->size);
	}
	if (op->kind == RC11_STORE)
		e->written = cut_to(op->operand, op->size);
	else if (op->kind == RC11_UPDATE)
		e->written = cut_to(updated(op, e->found), op->size);
	else if (op->kind == RC11_CAS)
		e->written = cut_to(op->operand, op->size);
	e->writes = rc11_storing(op) || op->kind == RC11_UPDATE || rc11_chained(op) ||
		    (op->kind == RC11_CAS && e->found == cut_to(op->expected, op->size));
	if (op->kind == RC11_LOCK)
		e->order = RC11_ACQUIRE;
	else if (op->kind == RC11_UNLOCK)
		e->order = RC11_RELEASE;
	else if (op->kind == RC11_CAS && !e->writes && !(g->without & RC11_WITHOUT_FAIL_ORDER))
		e->order = op->fail;
}

/* Places event i directly after `store` in modification order. */
static void link_store(struct rc11 *g, uint32_t i, uint32_t store)
{
	struct rc11_event *e = rc11_event(g, i);
	struct rc11_place *p = rc11_place_at(g, e->op.place);
	e->after = e->older = store;
	e->newer = rc11_newer(g, e->op.place, store);
	*(e->newer ? &rc11_event(g, e->newer - 1)->older : &p->latest) = i + 1;
	*(store ? &rc11_event(g, store - 1)->newer : &p->oldest) = i + 1;
}

static void unlink_store(struct rc11 *g, const struct rc11_event *e)
{
	struct rc11_place *p = rc11_place_at(g, e->op.place);
	*(e->newer ? &rc11_event(g, e->newer - 1)->older : &p->latest) = e->older;
	*(e->older ? &rc11_event(g, e->older - 1)->newer : &p->oldest) = e->newer;
}

bool rc11_push(struct rc11 *g, const struct rc11_op *op, uint32_t store)
{
	if (g->n == g->limits.events || op->thread >= g->limits.threads)
		return false;
	uint32_t i = g->n++;
	struct rc11_event *e = rc11_event(g, i);
	uint32_t *last = rc11_last(g) + op->thread;
	memset(e, 0, sizeof *e);
	e->op = *op;
	e->before = *last;
	e->number = *last ? rc11_event(g, *last - 1)->number + 1 : 1;
	*last = i + 1;
	perform(g, e, store);
	if (e->before)
		e->apart = rc11_same_place(rc11_event(g, e->before - 1), e) ? rc11_event(g, e->before - 1)->apart
									    : e->before;
	if (e->reads) {
		uint32_t *readers = rc11_readers(g, op->place, store);
		e->next_reader = *readers;
		*readers = i + 1;
	}
	if (e->writes)
		link_store(g, i, store);
	if (rc11_is_plain(e))
		rc11_place_at(g, op->place)->plain++;
	g->strong += rc11_strong(e);
	if (rc11_strong_fence(e)) {
		g->fences++;
		if (!rc11_first_fence(g)[op->thread])
			rc11_first_fence(g)[op->thread] = i + 1;
	}
	rc11_views(g);
	return true;
}

void rc11_pop(struct rc11 *g)
{
	INVARIANT(g->n, "no event to remove");
	const struct rc11_event *e = rc11_event(g, --g->n);
	g->strong -= rc11_strong(e);
	if (rc11_strong_fence(e)) {
		g->fences--;
		if (rc11_first_fence(g)[e->op.thread] == g->n + 1)
			rc11_first_fence(g)[e->op.thread] = 0;
	}
	if (rc11_is_plain(e))
		rc11_place_at(g, e->op.place)->plain--;
	if (e->writes)
		unlink_store(g, e);
	if (e->reads)
		*rc11_readers(g, e->op.place, e->reads_from) = e->next_reader;
	rc11_last(g)[e->op.thread] = e->before;
}
