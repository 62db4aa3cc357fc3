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

static inline bool graphs_overlap(uint64_t lo, uint64_t hi, uint64_t other_lo, uint64_t other_hi)
{
	return lo <= other_hi && other_lo <= hi;
}

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

/* All accesses of these bytes meet the latest store from now on, as those of code without memory orders do. */
void graphs_note_word(struct search *s, uint64_t lo, uint64_t hi);
/* Sets `next` to event e, an access of such bytes or of bytes that futex calls compare. Returns false if it is none. */
bool graphs_word_access(struct search *s, const struct event *e, uint64_t lo, uint64_t hi);
/* Sets `next` to event e, a call of the library that a thread is about to make. timed: time may end it. */
void graphs_call(struct search *s, const struct sched_view *view, const struct event *e, bool timed);
/* Says what happens before the event that was performed last (graphs_state.called). See strategy_ops.ordered. */
void graphs_order_call(struct search *s, const struct sched_view *view);
/* Returns whether some timed wait lacks its first choice now: time cannot end it. */
bool graphs_endless_wait(struct search *s, const struct trace *trace);
/* At the end of an execution: a call that waits for ever takes part in revisits, if its objects have events in it. */
void graphs_waiting(struct search *s, const struct trace *trace);

#endif
