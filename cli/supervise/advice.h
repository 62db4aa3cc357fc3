/* One line of advice during a long search whose end is not in sight. */
#ifndef SIMUL_ADVICE_H
#define SIMUL_ADVICE_H

#include "explore/explore.h"

struct search;

/* Call it periodically during the search, after bounds_share; `stats` is the total of all workers. Prints the line once, after a minute, with
   --strategy auto. */
void advice_show(struct search *search, const struct explore_stats *stats);

#endif
