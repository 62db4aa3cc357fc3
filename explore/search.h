/*
 * One search: what all strategies have, and the state of each. A function that needs less than all of it takes less.
 *
 * memory = struct search | struct arena. The arena may hold further searches (auto.h, need.c). The stack of nodes is the current execution.
 */
#ifndef SIMUL_SEARCH_H
#define SIMUL_SEARCH_H

#include "explore/core.h"
#include "explore/dpor/dpor_state.h"
#include "explore/graph/graphs_state.h"
#include "explore/shared/share_state.h"
#include "explore/trace/trace_state.h"
#include "explore/tree/tree_state.h"
#include "explore/trust/trust_state.h"

struct search {
	struct core core; /* first: a sampling strategy sees only this */
	struct trace_state trace;
	struct tree_state tree;
	struct estimate_state estimate;
	struct dpor_state dpor;
	struct bpor_state bpor;
	struct steps_state steps;
	struct spine spine;
	struct trust_state trust;
	struct graphs_state graphs;
	struct share_state share;
	aref auto_search; /* struct auto_search, see auto/auto.h; 0: this search is the only one here */
	aref need;        /* struct search, see need.c; 0: not yet */
};

_Static_assert(offsetof(struct search, core) == 0, "struct core counts from its own address, and a sampling strategy gets that of the search");

/* Returns whether there are units of several events, see unit.h: atomic regions, or sections that are steps. */
static inline bool search_atomic(const struct search *s)
{
	return s->core.config.regions & (REGION_ATOMIC | REGION_SECTIONS);
}

static inline struct node *node_at(struct search *s, uint32_t i)
{
	return (struct node *)vec_data(&s->core, &s->trace.nodes) + i;
}

/* What the unit that begins at node i did: feet[0 .. node.foot_n). They may move when another one is noted. */
static inline const struct foot *node_feet(struct search *s, uint32_t i)
{
	return (const struct foot *)vec_data(&s->core, &s->trace.feet) + node_at(s, i)->foot_at;
}

/* The operations of each strategy. */
#define STRATEGY(NAME, word, ...) extern const struct strategy_ops word##_ops;
#include "explore/strategies.def"
#undef STRATEGY

#endif
