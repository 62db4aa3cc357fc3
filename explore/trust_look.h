/*
 * What is being looked at when the revisits of a graph are enumerated: shared by trust_candidates.c and trust_revisit.c.
 *
 * H is the graph of all nodes. A revisit must keep what is flagged with its past, and (a being another event than the newest) the newest events: so
 * neither a nor what else is deleted is in the past of these. That leaves few events, and of these only those are
 * looked at that touch what a newly possible event of F touches.
 */
#ifndef SIMUL_TRUST_LOOK_H
#define SIMUL_TRUST_LOOK_H

#include "explore/trust.h"

/* A choice that could be one of F. */
struct candidate {
	struct event ev;   /* as it was announced, or executed */
	uint32_t at;       /* its index in H; NO_INDEX: pending */
	uint32_t before;   /* index + 1 of what precedes it in program order; 0 nothing */
	uint32_t upto;     /* no event from this index on gives way to it: see outcome_limit */
	uint8_t newly;     /* it or what comes before it may owe something to the events added last */
	uint8_t own;       /* another alternative of a's own operation */
	uint8_t pad_[2];
};

struct look {
	struct search *s;
	const struct await_table *await;
	uint32_t n, fresh, a; /* nodes; those from `fresh` on are new; index of a */
	uint32_t recent;  /* how many in SCRATCH_RECENT */
	uint32_t candidates, company, w; /* how many: F's candidates; W's that must be named; slots */
	uint32_t others;  /* some thread could go on next in another way than by its pending operation */
	struct cursor *c;
};

static inline struct candidate *candidate_at(struct look *l, uint32_t k)
{
	return (struct candidate *)vec_data(l->s, &l->s->scratch[SCRATCH_CANDIDATES]) + k;
}

/* Finds out what is the same for each event that may give way, and (SCRATCH_PLACES) which might at all. false: no memory. */
bool look_at_graph(struct look *l);
/* The same for a graph that ends in a death. */
bool look_at_death(struct look *l);
/* What may be in F when l->a gives way; those come first of which one must be. false: no memory. */
bool find_candidates(struct look *l);
/* Must event i of H stay, for what is flagged? */
bool must_stay(struct look *l, uint32_t i);

#endif
