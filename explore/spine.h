/*
 * How much of a depth-first search is finished, as a prefix of one execution: what `simul certify` writes down.
 *
 * The *spine* is the first execution of the search that passed. Its events are first children, so no thread sleeps on it: when node i is the
 * deepest one of it that has something left to explore, every execution that begins with its events 0 .. i has been explored. So i + 1 events
 * are certified; that number only falls. When the search is over it is 0: every
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

/* An execution has ended, and its races have been analysed: what is left to explore hangs on the nodes. */
void spine_end(struct search *s, enum run_verdict verdict);

/* Before the walk looks for the next execution: true when no further one is wanted. */
bool spine_wants_no_more(const struct search *s);

/* The same: starts the search again when an execution has passed that can be its first. */
void spine_restart(struct search *s);

#endif
