/*
 * How much of a depth-first search is finished, as a prefix of one execution: what `simul certify` writes down.
 *
 * The *spine* is the first execution of the search that passed. Its events are first children, so no thread sleeps on it: when the walk
 * goes back to node i of it for the first time, every execution that begins with its events 0 .. i has been explored. So the lowest node
 * that the walk went back to is how many events are certified; that number only falls. When the search is over it is 0: every
 * execution has been explored.
 *
 * A failure freezes the number for good, and so does whatever makes the search cover less than everything (enum spine_reason): executions
 * that begin with the certified events had all been explored before.
 *
 * The first execution may fail. The search goes on then until one passes, and starts again with that one as its first.
 */
#ifndef SIMUL_SPINE_H
#define SIMUL_SPINE_H

#include "explore/search.h"

/* Whether the walk takes another choice than its own in the state before event s->pos: that of the schedule that the spine is to follow. Index into
   view->choices, or -1. */
int spine_pick(struct search *s, const struct sched_view *view);

/* An execution has ended, and has its nodes. */
void spine_end(struct search *s, enum run_verdict verdict);

/* The walk went back to node i and explores another choice there. */
void spine_back(struct search *s, uint32_t i);

/* Everything is explored. */
void spine_finished(struct search *s);

/* Before the walk looks for the next execution: true when no further one is wanted. */
bool spine_wants_no_more(const struct search *s);

/* The same: starts the search again when an execution has passed that can be its first. */
void spine_restart(struct search *s);

#endif
