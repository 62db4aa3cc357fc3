/* What the parts of the strategy `graphs` share: graphs.c, and graphs_calls.c for calls of the library. */
#ifndef SIMUL_GRAPHS_INTERNAL_H
#define SIMUL_GRAPHS_INTERNAL_H

#include "explore/graph/graph.h"
#include "explore/search.h"

#define GRAPHS_CHAIN UINT64_MAX

/* What an event is in the graph. */
enum graphs_role {
	GRAPHS_UNKNOWN,
	GRAPHS_OTHER,   /* it orders nothing, or is no call of the library */
	GRAPHS_LOCKING, /* a call on a mutex that may be a LOCK or UNLOCK */
	GRAPHS_CALL,
	GRAPHS_PASS     /* leaving a barrier: may change places with all calls of others that do not end the barrier */
};

enum graphs_role graphs_role(unsigned kind);

static inline struct graph *graphs_graph(struct search *s)
{
	return arena_ptr(core_arena(&s->core), s->graphs.graph);
}

/* ---- graphs.c ---- */

/* The search ends: from the next execution on there are samples. why: see explore_stats.graphs_left. */
void graphs_leave(struct search *s, uint32_t why);
static inline struct graphs_place *graphs_place_at(struct search *s, uint32_t i)
{
	return (struct graphs_place *)vec_data(&s->core, &s->graphs.places) + i;
}
/* Returns the index of the place, which is made at its first use; UINT32_MAX when there is no room. */
uint32_t graphs_place_of(struct search *s, uint64_t lo, uint64_t hi);

/* Makes an empty graph. The places are forgotten. Returns false when memory is used up. */
bool graphs_fresh(struct search *s);
/* More has become known about objects: the search begins again, and what it has found counts as given up. */
void graphs_begin_again(struct search *s);

/* ---- graphs_calls.c ---- */

/* Sets `next` to event e, a call of the library that a thread is about to make. timed: time may end it. */
void graphs_call(struct search *s, const struct sched_view *view, const struct event *e, bool timed);
/* Says what happens before the call of the library that was performed last. See strategy_ops.ordered. */
void graphs_order_call(struct search *s, const struct sched_view *view);
/* Returns whether some timed wait for a condition variable lacks its first choice now: time cannot end it. */
bool graphs_endless_wait(const struct trace *trace);
/* At the end of an execution: a call that waits for ever takes part in revisits, if its objects have events in it. */
void graphs_waiting(struct search *s, const struct trace *trace);

#endif
