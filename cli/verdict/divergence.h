/* What differed when a schedule was repeated and the program did something else. */
#ifndef SIMUL_DIVERGENCE_H
#define SIMUL_DIVERGENCE_H

#include <stddef.h>

#include "explore/explore.h"

struct search;

/* Writes 'at step 7 it did "fd-poll" by T0.1 at a.c:12 (result 0) the first time and ... when the same schedule was repeated'. Only what differs is
   written besides the operations, and the places. */
void divergence_describe(const struct search *search, const struct explore_stats *st, char *buf, size_t size);

#endif
