/* What Optimal-DPOR and Source-DPOR share: the walk over the tree of executions. */
#ifndef SIMUL_DPOR_H
#define SIMUL_DPOR_H

#include "explore/search.h"
#include "explore/sleepset.h"

bool dpor_begin(void *self);
int dpor_pick(void *self, const struct sched_view *view);
void dpor_observe(void *self, const struct event *e);
void dpor_end(void *self, const struct trace *trace, enum run_verdict verdict);

/* Sees to it that sequence v is explored from the state of node i, unless that is done or planned. */
void optimal_insert(struct search *s, uint32_t i, struct sequence *v);
void source_insert(struct search *s, uint32_t i, struct sequence *v);
static inline void dpor_insert(struct search *s, uint32_t i, struct sequence *v)
{
	if (s->config.strategy == STRATEGY_SOURCE)
		source_insert(s, i, v);
	else
		optimal_insert(s, i, v);
}

#endif
