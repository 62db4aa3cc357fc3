/* What Optimal-DPOR and Source-DPOR share: the walk over the tree of executions. Its end is bpor's, too. */
#ifndef SIMUL_DPOR_H
#define SIMUL_DPOR_H

#include "explore/search.h"
#include "explore/sleepset.h"

bool dpor_begin(void *self);
int dpor_pick(void *self, const struct sched_view *view);
void dpor_observe(void *self, const struct event *e);
void dpor_end(void *self, const struct trace *trace, enum run_verdict verdict);
bool dpor_again(void *self);

/* See explore_hand_back. */
void dpor_hand_back(struct search *s);

/* Takes in what the trace holds and nobody told by `observe` (the process died in between). false: it holds less than was repeated. */
bool dpor_catch_up(struct search *s, const struct trace *trace, void (*observe)(void *self, const struct event *e));

/* Plans every choice of node i that is neither done nor planned: nothing that begins there is lost then. */
void dpor_plan_all(struct search *s, uint32_t i);

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
