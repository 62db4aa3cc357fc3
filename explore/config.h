/* The settings of a search, from those of a session. */
#ifndef SIMUL_EXPLORE_CONFIG_H
#define SIMUL_EXPLORE_CONFIG_H

#include "base/session.h"
#include "explore/explore.h"

/* Returns what a search of such a session gets as far as the session's settings decide it. What earlier executions have shown is 0. */
static inline struct explore_config explore_config_of(const struct session_config *s)
{
	return (struct explore_config){
		.strategy = s->strategy,
		.shuffle = s->shuffle,
		.depth = s->depth,
		.seed = s->settings.seed,
		.max_executions = s->max_executions,
		.bounded = s->bound != 0,
		.preemptions = s->bound ? s->bound - 1 : 0,
		.buffers = model_has_buffers(s->settings.model),
		.patience = s->settings.patience != 0 || s->settings.discrete_time,
		.meets = s->settings.barrier_first,
		.budgeted = s->budgeted,
		.certify = s->certify,
		.keep_passing = s->keep_passing,
	};
}

#endif
