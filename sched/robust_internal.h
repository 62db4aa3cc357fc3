/*
 * Shared by the files of the robustness check: the examined part of a trace, as a graph.
 *
 * A part begins and ends where all store buffers are empty, so no cycle leaves it.
 */
#ifndef SIMUL_ROBUST_INTERNAL_H
#define SIMUL_ROBUST_INTERNAL_H

#include "sched/robust.h"

#define ROBUST_NONE UINT32_MAX

/* An event; for a buffered store, STORE and UPDATE together. Nodes are in the order of the trace, so those of one thread are in program
   order. */
struct robust_node {
	uint32_t event;  /* index into the trace */
	uint32_t effect; /* index in the trace at which it takes effect: for a buffered store, its UPDATE; ROBUST_NONE: never */
	uint32_t next;   /* next node of the thread, ROBUST_NONE: none */
	uint32_t edge;   /* first of the edges that start here, ROBUST_NONE: none */
	uint32_t touch;  /* first of its touches, ROBUST_NONE: none */
	bool late;       /* a later event of the thread takes effect before it */
	bool gone;       /* it is on no cycle */
};

/* An edge to a node of another thread. Edges that follow from others are left out. */
struct robust_edge {
	uint32_t to, next;
};

/* A node touches a place: bytes that each event of the part touches completely or not at all, an object, or a thread (POKE). */
struct robust_touch {
	uint64_t at;   /* sort key: place, then position, then whether the value came from its own buffer */
	uint32_t node;
	uint32_t next; /* next touch of the same node */
	uint8_t mode;  /* enum access_mode */
};

struct robust_block;

struct robust_part {
	const struct event *event;
	struct arena *scratch;
	struct robust_block *blocks;
	bool full; /* scratch was used up, and the last allocation failed */

	uint32_t n, n_touches, n_edges, edge_cap, n_places;
	struct robust_node *node;
	struct robust_touch *touch; /* sorted by `at` */
	struct robust_edge *edge;
	uint32_t *first; /* by thread: its first node, ROBUST_NONE: none */
	bool *poked;     /* by thread: whether some event pokes it */
};

/* The event with which a node takes effect. The node must take effect. */
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

/* Returns whether the node read its thread's own store before that reached memory: earlier writes of other threads do not come before
   it, and writes after that store come after it. */
static inline bool robust_forwarded(const struct robust_touch *t)
{
	return t->at & 1;
}

/* Returns whether a touch with this mode depends on every other touch of its place that a later touch depends on. */
static inline bool robust_stops(const struct robust_touch *t)
{
	return t->mode == M_WRITE || t->mode == M_ACQ || t->mode == M_REL;
}

/* Returns whether these touches of one place by different threads order their nodes. */
static inline bool robust_ordered(const struct robust_part *p, const struct robust_touch *first, const struct robust_touch *second)
{
	return robust_thread(p, first->node) != robust_thread(p, second->node) && !robust_forwarded(second) &&
	       events_dependent(robust_effect(p, first->node), robust_effect(p, second->node));
}

/* Returns zeroed memory. NULL, and p->full is set, when memory is used up. */
void *robust_alloc(struct robust_part *p, uint64_t size);
/* Releases all memory of the part. */
void robust_release(struct robust_part *p);

/* Makes the graph of p->node[0 .. n), whose event and effect are set (robust_graph.c). */
void robust_graph(struct robust_part *p);
/* Marks nodes that are on no cycle, except some that only follow one. Returns true when no node is on a cycle. */
bool robust_peel(struct robust_part *p);
/* Finds a smallest cycle that is shorter than `below`. Writes its nodes in order to path[0 .. result), which has room for p->n. Returns
   0 when there is none (robust_cycle.c). */
uint32_t robust_smallest(struct robust_part *p, uint32_t below, uint32_t *path);

#endif
