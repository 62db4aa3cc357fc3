/*
 * Counts block traces of programs whose threads take turns (FairThreads, sched/fixed_order.h).
 *
 * A block is what a thread does in a turn, which is one atomic region. The block trace of an execution is the set of
 * ordered pairs of dependent blocks. A turn in which a thread looks for its event, does not find it and waits on is
 * no block, although the search orders it like any turn. So several traces may have one block trace. Blocks are
 * identified by their thread and their number in it.
 */
#ifndef SIMUL_BLOCKS_H
#define SIMUL_BLOCKS_H

#include "explore/search.h"

/* Counts the block trace of a whole execution in stats.block_traces if it was not seen before. Does nothing for
   programs without turns. */
void blocks_count(struct search *s, const struct trace *trace);

#endif
