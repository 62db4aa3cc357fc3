/*
 * How many different traces (classes of executions with the same happens-before) were seen. A hash of
 * each execution that is the same for all its linearisations goes into a table of fixed size.
 */
#ifndef SIMUL_DISTINCT_H
#define SIMUL_DISTINCT_H

#include "explore/search.h"

/* Counts the trace of nodes [0, s->analysed) in stats.distinct_traces when it was not seen before. */
void distinct_count(struct search *s);

/* For strategies that keep no nodes: makes nodes of the whole trace, with clocks. false: no memory. */
bool distinct_load(struct search *s, const struct trace *trace);

/* The hash of nodes [0, n), which have clocks. Object ids do not enter: they depend on the order. */
uint64_t distinct_hash(struct search *s, uint32_t n);

#endif
