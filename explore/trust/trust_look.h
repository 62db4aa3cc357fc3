/*
 * Data of the enumeration of a graph's revisits: shared by trust_candidates.c and trust_revisit.c.
 *
 * H is the graph of all nodes. A revisit must keep what is flagged with its past, and the newest events too unless a is the newest. So
 * neither a nor any other deleted event is in the past of these. That leaves few events. Of these, only those are considered that touch
 * what a newly possible event of F touches.
 */
#ifndef SIMUL_TRUST_LOOK_H
#define SIMUL_TRUST_LOOK_H

#include "explore/trust/trust.h"

/* A choice that may belong to F. */
struct candidate {
	struct event ev;   /* as announced, or as executed */
	uint32_t at;       /* its index in H; NO_INDEX: pending */
	uint32_t before;   /* index + 1 of what precedes it in program order; 0: nothing does */
	uint32_t upto;     /* no event from this index on gives way to it: see outcome_limit */
	uint8_t newly;     /* it, or what precedes it, may be possible only because of the newest events */
	uint8_t own;       /* another alternative of a's own operation */
	uint8_t pad_[2];
};

struct look {
	struct search *s;
	const struct await_table *await;
	uint32_t n, fresh, a; /* number of nodes; nodes from `fresh` on are new; index of a */
	uint32_t recent;  /* number of elements in SCRATCH_RECENT */
	uint32_t candidates, company, w; /* numbers of: candidates for F; events of W that must be named; slots */
	uint32_t others;  /* some thread has another alternative than its pending operation */
	struct cursor *c;
};

static inline struct candidate *candidate_at(struct look *l, uint32_t k)
{
	return (struct candidate *)vec_data(&l->s->core, &l->s->trust.scratch[SCRATCH_CANDIDATES]) + k;
}

/* Computes what is the same for every event that may give way, and in SCRATCH_PLACES which events may. Returns false when memory is used
   up. */
bool look_at_graph(struct look *l);
/* look_at_graph for a graph that ends in a death. */
bool look_at_death(struct look *l);
/* Finds the candidates for F when l->a gives way. The first ones are those of which F must contain one. Returns false when memory is
   used up. */
bool find_candidates(struct look *l);
/* Returns whether event i of H must stay because of what is flagged. */
bool must_stay(struct look *l, uint32_t i);

#endif
