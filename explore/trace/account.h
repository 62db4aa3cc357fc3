/* Counts executions by how they ended. */
#ifndef SIMUL_ACCOUNT_H
#define SIMUL_ACCOUNT_H

#include "explore/search.h"

/* Adds the execution that just ended to the counters. `end` calls it once per execution. */
void account_execution(struct search *s, const struct trace *trace, enum run_verdict verdict);

#endif
