/*
 * Counts distinct traces (classes of executions with the same happens-before). A hash of each execution, equal for all its linearisations,
 * goes into a table of fixed size.
 */
#ifndef SIMUL_DISTINCT_H
#define SIMUL_DISTINCT_H

#include "explore/search.h"

/* Counts the trace of nodes [0, s->trace.analysed) in stats.distinct_traces if it was not seen before. */
void distinct_count(struct search *s);

/* Returns a hash of event i, which must have a clock: what it did, and which events happen before it. Equal in all
   executions of one trace. */
uint64_t distinct_event(struct search *s, uint32_t i);

/* Adds a hash to a table of hashes. Returns whether it is new and was added. Sets *overflow to 1 if the table is
   full. */
bool distinct_add(struct search *s, struct vec *table, uint64_t h, uint64_t *overflow);

/* For strategies that keep no nodes: makes nodes with clocks from the whole trace. Returns false when memory is used up. */
bool distinct_load(struct search *s, const struct trace *trace);

#endif
