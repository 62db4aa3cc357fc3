/* The walk over the tree of executions that Optimal-DPOR and Source-DPOR share. bpor uses its end, too. */
#ifndef SIMUL_DPOR_H
#define SIMUL_DPOR_H

#include "explore/search.h"
#include "explore/tree/sleepset.h"

bool dpor_begin(void *self);
int dpor_pick(void *self, const struct sched_view *view);
void dpor_observe(void *self, const struct event *e);
void dpor_end(void *self, const struct trace *trace, enum run_verdict verdict);
bool dpor_again(void *self);

/* See explore_hand_back. */
void dpor_hand_back(struct search *s);

/* Adds the events of the trace that `observe` did not report, because the process died in between. Returns false when the trace holds
   fewer events than were to be repeated. */
bool dpor_catch_up(struct search *s, const struct trace *trace, void (*observe)(void *self, const struct event *e));

/* Plans every choice of node i that is neither explored nor planned. Then nothing that begins there is lost. */
void dpor_plan_all(struct search *s, uint32_t i);

/* Ensures that sequence v is explored from the state of node i, unless it already is or is planned. */
void optimal_insert(struct search *s, uint32_t i, struct sequence *v);
void source_insert(struct search *s, uint32_t i, struct sequence *v);
static inline void dpor_insert(struct search *s, uint32_t i, struct sequence *v)
{
	if (s->core.config.strategy == STRATEGY_SOURCE)
		source_insert(s, i, v);
	else
		optimal_insert(s, i, v);
}

#endif
