/* Why the strategy `graphs` goes on with samples, in words. */
#ifndef SIMUL_GRAPHS_LEFT_H
#define SIMUL_GRAPHS_LEFT_H

#include <stddef.h>
#include <stdint.h>

/* Writes the reason (explore_stats.graphs_left): "samples instead of every execution graph: ..."; "" for 0. Returns
   buf. */
const char *graphs_left_text(uint32_t left, char *buf, size_t size);

#endif
