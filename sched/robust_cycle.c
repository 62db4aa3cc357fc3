/*
 * A smallest cycle in the graph of a part of a trace. Every cycle leads through a store that takes effect after a later event of
 * its thread, since all other steps go forward in time: so a breadth-first search from each of those finds it.
 *
 * A step leads from an event to any later one of its thread, to all that depends on it and takes effect later, and from a
 * THREAD_CREATE to all of the new thread. robust_peel has shown that there is a cycle; what can be reached from a node that it
 * left it left as well.
 */
#include <string.h>

#include "sched/robust_internal.h"

struct search {
	struct robust_part *p;
	uint32_t start;
	uint32_t n;
	uint32_t *queue;
	uint32_t *depth;  /* by node: 0 not reached */
	uint32_t *parent;
	/* From here on everything has been reached; ROBUST_NONE: nothing yet. */
	uint32_t *thread; /* by thread: node */
	uint32_t *all;    /* by place: touch */
	uint32_t *writes; /* by place: touch; only those that stop (robust_stops) */
};

static bool prepare(struct search *s, struct robust_part *p)
{
	*s = (struct search){ .p = p };
	s->queue = robust_alloc(p, (uint64_t)(p->n + 1) * sizeof *s->queue);
	s->depth = robust_alloc(p, (uint64_t)p->n * sizeof *s->depth);
	s->parent = robust_alloc(p, (uint64_t)p->n * sizeof *s->parent);
	s->thread = robust_alloc(p, MAX_THREADS * sizeof *s->thread);
	s->all = robust_alloc(p, (uint64_t)p->n_places * sizeof *s->all);
	s->writes = robust_alloc(p, (uint64_t)p->n_places * sizeof *s->writes);
	return !p->full;
}

static void begin(struct search *s, uint32_t start)
{
	const struct robust_part *p = s->p;
	s->start = start;
	s->n = 0;
	memset(s->depth, 0, p->n * sizeof *s->depth);
	memset(s->thread, 0xff, MAX_THREADS * sizeof *s->thread);
	memset(s->all, 0xff, p->n_places * sizeof *s->all);
	memset(s->writes, 0xff, p->n_places * sizeof *s->writes);
}

static void reach(struct search *s, uint32_t from, uint32_t to, uint32_t depth)
{
	if (s->depth[to])
		return;
	s->depth[to] = depth;
	s->parent[to] = from;
	s->queue[s->n++] = to;
}

/* The nodes of a thread from `first` on. */
static void reach_thread(struct search *s, uint32_t from, thread_id t, uint32_t first, uint32_t depth)
{
	uint32_t end = s->thread[t];
	for (uint32_t i = first; i != ROBUST_NONE && i < end; i = s->p->node[i].next)
		reach(s, from, i, depth);
	if (first < end)
		s->thread[t] = first;
}

/* What depends on touch i and happens after it. Later touches of the same thread were reached by program order. */
static void reach_place(struct search *s, uint32_t i, uint32_t depth)
{
	const struct robust_touch *t = s->p->touch;
	uint32_t place = robust_place(&t[i]), end = s->all[place];
	bool stops = robust_stops(&t[i]), reads = t[i].mode == M_READ;
	if (reads && s->writes[place] < end)
		end = s->writes[place];
	for (uint32_t k = i + 1; k < end && k < s->p->n_touches && robust_place(&t[k]) == place; k++)
		if (robust_ordered(s->p, &t[i], &t[k]))
			reach(s, t[i].node, t[k].node, depth);
	if (stops && i + 1 < s->all[place])
		s->all[place] = i + 1;
	if (reads && i + 1 < s->writes[place])
		s->writes[place] = i + 1;
}

static void expand(struct search *s, uint32_t i, uint32_t depth)
{
	const struct robust_node *x = &s->p->node[i];
	const struct event *e = &s->p->event[x->event];
	reach_thread(s, i, e->thread, x->next, depth);
	for (uint32_t k = x->touch; k != ROBUST_NONE; k = s->p->touch[k].next)
		reach_place(s, k, depth);
	if (e->kind == EV_THREAD_CREATE && event_child(e) < MAX_THREADS && event_child(e) != e->thread && s->p->first[event_child(e)] != ROBUST_NONE &&
		s->p->first[event_child(e)] > i)
		reach_thread(s, i, event_child(e), s->p->first[event_child(e)], depth);
}

/* How long a smallest cycle through `start` is; 0: none shorter than `below`. */
static uint32_t cycle_through(struct search *s, uint32_t start, uint32_t below)
{
	begin(s, start);
	if (below > 1)
		expand(s, start, 1);
	for (uint32_t k = 0; k < s->n && !s->depth[start]; k++) {
		uint32_t depth = s->depth[s->queue[k]] + 1;
		if (depth >= below)
			return 0;
		expand(s, s->queue[k], depth);
	}
	return s->depth[start];
}

uint32_t robust_smallest(struct robust_part *p, uint32_t below, uint32_t *path)
{
	struct search s;
	uint32_t best = 0;
	if (!prepare(&s, p))
		return 0;
	for (uint32_t i = 0; i < p->n; i++) {
		if (p->node[i].gone || !p->node[i].late)
			continue;
		uint32_t n = cycle_through(&s, i, below);
		if (!n)
			continue;
		best = below = n;
		for (uint32_t k = n, x = i; k--;)
			path[k] = x = s.parent[x];
	}
	return best;
}
