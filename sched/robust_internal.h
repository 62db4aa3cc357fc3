/*
 * What the files of the check for robustness share: the part of a trace that is looked at, as a graph.
 *
 * A part begins and ends where all store buffers are empty, so no cycle leads out of it.
 */
#ifndef SIMUL_ROBUST_INTERNAL_H
#define SIMUL_ROBUST_INTERNAL_H

#include "sched/robust.h"

#define ROBUST_NONE UINT32_MAX

/* An event; of a buffered store STORE and UPDATE together. In the order of the trace, so that of one thread in program order. */
struct robust_node {
	uint32_t event;  /* index into the trace */
	uint32_t effect; /* where in the trace it takes effect: a buffered store's UPDATE; ROBUST_NONE: never */
	uint32_t next;   /* next node of the thread, ROBUST_NONE: none */
	uint32_t edge;   /* first of the edges that start here, ROBUST_NONE: none */
	uint32_t touch;  /* first of its touches, ROBUST_NONE: none */
	bool late;       /* a later event of the thread takes effect before it */
	bool gone;       /* on no cycle */
};

/* From a node to one of another thread. Those left out follow from others. */
struct robust_edge {
	uint32_t to, next;
};

/* A node touches a place: bytes that the events of the part have all of or nothing of, an object, or a thread (POKE). */
struct robust_touch {
	uint64_t at;   /* place, then when, then whether the value came from the own buffer: in this order */
	uint32_t node;
	uint32_t next; /* touch of the same node */
	uint8_t mode;  /* enum access_mode */
};

struct robust_block;

struct robust_part {
	const struct event *event;
	struct arena *scratch;
	struct robust_block *blocks;
	bool full; /* scratch was used up; what was asked for is missing */

	uint32_t n, n_touches, n_edges, edge_cap, n_places;
	struct robust_node *node;
	struct robust_touch *touch; /* sorted by `at` */
	struct robust_edge *edge;
	uint32_t *first; /* by thread: its first node, ROBUST_NONE: none */
	bool *poked;     /* by thread: some event pokes it */
};

/* The event with which a node takes effect; it does. */
static inline const struct event *robust_effect(const struct robust_part *p, uint32_t node)
{
	return &p->event[p->node[node].effect];
}

static inline thread_id robust_thread(const struct robust_part *p, uint32_t node)
{
	return p->event[p->node[node].event].thread;
}

static inline uint32_t robust_place(const struct robust_touch *t)
{
	return (uint32_t)(t->at >> 33);
}

/* It read its thread's own store before that reached memory: others' earlier writes do not come before it, those after that store do
   come after it. */
static inline bool robust_forwarded(const struct robust_touch *t)
{
	return t->at & 1;
}

/* With this mode a touch depends on every other touch of its place that something after it depends on. */
static inline bool robust_stops(const struct robust_touch *t)
{
	return t->mode == M_WRITE || t->mode == M_ACQ || t->mode == M_REL;
}

/* Do these touches of one place by different threads order their nodes? */
static inline bool robust_ordered(const struct robust_part *p, const struct robust_touch *first, const struct robust_touch *second)
{
	return robust_thread(p, first->node) != robust_thread(p, second->node) && !robust_forwarded(second) &&
	       events_dependent(robust_effect(p, first->node), robust_effect(p, second->node));
}

/* Zeroed; NULL, and p->full, when there is no more. */
void *robust_alloc(struct robust_part *p, uint64_t size);
/* Gives everything back. */
void robust_release(struct robust_part *p);

/* Makes the graph of p->node[0 .. n), of which event and effect are filled in (robust_graph.c). */
void robust_graph(struct robust_part *p);
/* Marks what is on no cycle, except what only follows one. true: nothing is on one. */
bool robust_peel(struct robust_part *p);
/* A smallest cycle that is shorter than `below`: its nodes in order in path[0 .. result), of which there is room for p->n; 0: none
   (robust_cycle.c). */
uint32_t robust_smallest(struct robust_part *p, uint32_t below, uint32_t *path);

#endif
