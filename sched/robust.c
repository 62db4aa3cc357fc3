/* The robustness check: which parts of a trace must be examined, and what is reported of a cycle. See robust.h. */
#include "sched/robust.h"

#include <string.h>

#include "sched/robust_internal.h"

/* ---- stores and their updates ---- */

/* The number of agents that occur here. */
static uint32_t agents_in(const struct event *event, uint32_t n)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < n; i++)
		if (event[i].kind == EV_UPDATE && is_agent(event[i].thread) && event[i].thread - MAX_THREADS + 1u > most)
			most = event[i].thread - MAX_THREADS + 1u;
	return most;
}

/*
 * Sets partner[i]: for a buffered store, the index of its update; for an update, that of its store; ROBUST_NONE: none. An agent takes
 * stores in order. Until its update comes, a store's partner is the next one that waits for the same agent.
 */
static void pair_up(const struct event *event, uint32_t n, uint32_t *partner, uint32_t agents, uint32_t *first, uint32_t *last)
{
	memset(partner, 0xff, n * sizeof *partner);
	memset(first, 0xff, agents * sizeof *first);
	for (uint32_t i = 0; i < n; i++) {
		const struct event *e = &event[i];
		uint32_t a = (uint32_t)(e->kind == EV_UPDATE ? e->thread : event_agent(e)) - MAX_THREADS;
		if ((e->kind != EV_UPDATE && !event_buffered(e)) || a >= agents)
			continue;
		if (e->kind != EV_UPDATE) {
			*(first[a] == ROBUST_NONE ? &first[a] : &partner[last[a]]) = i;
			last[a] = i;
		} else if (first[a] != ROBUST_NONE) {
			uint32_t store = first[a];
			first[a] = partner[store];
			partner[store] = i;
			partner[i] = store;
		}
	}
	for (uint32_t a = 0; a < agents; a++)
		while (first[a] != ROBUST_NONE) {
			uint32_t store = first[a];
			first[a] = partner[store];
			partner[store] = ROBUST_NONE;
		}
}

/* ---- what is reported of a cycle ---- */

static bool drained_between(const struct robust_part *p, uint32_t a, uint32_t b)
{
	for (uint32_t i = p->node[a].next; i < b; i = p->node[i].next)
		if (event_drains(&p->event[p->node[i].event]))
			return true;
	return false;
}

static enum robust_step step_between(const struct robust_part *p, uint32_t a, uint32_t b)
{
	const struct event *first = &p->event[p->node[a].event], *second = &p->event[p->node[b].event];
	if (first->thread != second->thread)
		return ROBUST_BEFORE;
	if (p->node[a].effect > p->node[b].effect)
		return ROBUST_DELAYED;
	if (!event_buffered(first) || event_drains(second) || drained_between(p, a, b))
		return ROBUST_ORDER;
	if (event_buffered(second) && events_dependent(robust_effect(p, a), robust_effect(p, b)))
		return ROBUST_ORDER;
	return ROBUST_LOOSE;
}

/* The first delayed store of the trace that is on the cycle; there is always one. */
static uint32_t beginning(const struct robust_part *p, const uint32_t *path, uint32_t n)
{
	uint32_t best = 0;
	bool found = false;
	for (uint32_t i = 0; i < n; i++)
		if ((!found || path[i] < path[best]) && step_between(p, path[i], path[(i + 1) % n]) == ROBUST_DELAYED) {
			best = i;
			found = true;
		}
	return best;
}

static void describe(const struct robust_part *p, const uint32_t *path, uint32_t n, struct robust_cycle *out)
{
	uint32_t from = beginning(p, path, n);
	out->n = n < ROBUST_MOST ? n : ROBUST_MOST;
	for (uint32_t i = 0; i < out->n; i++) {
		uint32_t a = path[(from + i) % n], b = path[(from + i + 1) % n];
		out->event[i] = p->node[a].event;
		out->step[i] = (uint8_t)step_between(p, a, b);
	}
}

/* ---- parts ---- */

struct check {
	const struct event *event;
	const uint32_t *partner;
	struct arena *scratch;
	struct robust_cycle *cycle;
	uint32_t shortest; /* length of the shortest cycle so far; ROBUST_NONE: none */
	bool unknown;
};

/* The position at which the event takes effect. */
static uint32_t effect_of(const struct check *c, uint32_t i)
{
	return event_buffered(&c->event[i]) ? c->partner[i] : i;
}

/* Checks events [from, to), which begin and end with empty buffers. */
static void check_part(struct check *c, uint32_t from, uint32_t to)
{
	struct robust_part p = { .event = c->event, .scratch = c->scratch };
	p.node = robust_alloc(&p, (uint64_t)(to - from) * sizeof *p.node);
	for (uint32_t i = from; i < to && p.node; i++)
		if (c->event[i].kind != EV_UPDATE && c->event[i].thread < MAX_THREADS &&
			!(event_kind_flags(c->event[i].kind) & K_END))
			p.node[p.n++] = (struct robust_node){ .event = i, .effect = effect_of(c, i) };
	if (!p.full)
		robust_graph(&p);
	if (!p.full && !robust_peel(&p) && !p.full) {
		uint32_t *path = robust_alloc(&p, (uint64_t)p.n * sizeof *path);
		uint32_t n = path ? robust_smallest(&p, c->shortest, path) : 0;
		c->shortest = n ? n : c->shortest;
		if (n && c->cycle)
			describe(&p, path, n, c->cycle);
	}
	c->unknown |= p.full;
	robust_release(&p);
}

/* Checks each part in which an event takes effect before an older one of its thread. latest: by thread, zeroed. */
static void check_parts(struct check *c, uint32_t n, uint32_t *latest)
{
	uint32_t from = 0, waiting = 0;
	bool reordered = false;
	for (uint32_t i = 0; i < n; i++) {
		const struct event *e = &c->event[i];
		if (e->kind == EV_UPDATE) {
			waiting -= c->partner[i] != ROBUST_NONE;
		} else if (e->thread < MAX_THREADS) {
			uint32_t effect = effect_of(c, i);
			waiting += event_buffered(e);
			reordered |= effect < latest[e->thread];
			if (effect != ROBUST_NONE && effect >= latest[e->thread])
				latest[e->thread] = effect + 1;
		}
		if (waiting)
			continue;
		if (reordered)
			check_part(c, from, i + 1);
		from = i + 1;
		reordered = false;
	}
	if (reordered)
		check_part(c, from, n);
}

bool robust_check(const struct event *event, uint32_t n, struct arena *scratch, struct robust_cycle *cycle, bool *unknown)
{
	struct robust_part p = { .scratch = scratch };
	struct check c = { .event = event, .scratch = scratch, .cycle = cycle, .shortest = ROBUST_NONE };
	uint32_t agents = agents_in(event, n);
	*unknown = false;
	if (!agents)
		return true;
	uint32_t *partner = robust_alloc(&p, n * sizeof *partner), *latest = robust_alloc(&p, MAX_THREADS * sizeof *latest);
	uint32_t *first = robust_alloc(&p, agents * sizeof *first), *last = robust_alloc(&p, agents * sizeof *last);
	if (!p.full) {
		pair_up(event, n, partner, agents, first, last);
		c.partner = partner;
		check_parts(&c, n, latest);
	}
	*unknown = c.shortest == ROBUST_NONE && (p.full || c.unknown);
	robust_release(&p);
	return c.shortest == ROBUST_NONE;
}
