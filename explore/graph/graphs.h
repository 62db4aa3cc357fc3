/* Executions of the strategy `graphs` that start in the middle, for explore_prefix, explore_repeats and
   explore_resume. */
#ifndef SIMUL_GRAPHS_H
#define SIMUL_GRAPHS_H

#include "explore/search.h"

/* Returns how many events of the planned execution, at least, the next one is expected to begin with. */
uint32_t graphs_prefix(struct search *s);
/* Returns with how many events of the execution that ended last the planned one begins. */
uint32_t graphs_repeats(struct search *s);
/* The planned execution starts behind its event n - 1, where the last one has been. */
void graphs_resume(struct search *s, uint32_t n);

#endif
