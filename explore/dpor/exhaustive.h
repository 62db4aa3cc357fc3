/* The part of the exhaustive search (exhaustive.c) that steps.c shares. */
#ifndef SIMUL_EXHAUSTIVE_H
#define SIMUL_EXHAUSTIVE_H

#include "explore/search.h"

/* As in struct strategy_ops. */
void exhaustive_observe(void *self, const struct event *e);
void exhaustive_end(void *self, const struct trace *trace, enum run_verdict verdict);

#endif
