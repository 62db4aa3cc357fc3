/*
 * How much of a depth-first search is finished, as a prefix of one execution: what `simul certify` writes down.
 *
 * The *spine* is the first execution of the search that passed. Its events are first children, so no thread sleeps on it. If node i is its
 * deepest node with a branch left to explore, every execution that begins with its events 0 .. i was explored. So i + 1 events are
 * certified. That number only falls; it is 0 when the search is finished.
 *
 * A failure freezes the number, and so does everything that makes the search incomplete (enum spine_reason). The executions that begin with the
 * certified events were all explored before.
 *
 * If the first execution fails, the search continues until one passes, and restarts with that one as its first.
 *
 * A failure that came before the first execution, such as one during the warm-up, freezes nothing: the search goes on until it meets a failing
 * execution. In a large search that may take for ever, so without a budget it ends after SPINE_AFTER_BUG executions.
 *
 * If the first SPINE_AFTER_CUT executions are all cut, the search ends: others that begin in the same way would be cut as well.
 *
 * The caller may choose the first execution (explore_guide). Any execution that passes can be the spine: in the first one, no thread sleeps
 * whatever it picks.
 */
#ifndef SIMUL_SPINE_H
#define SIMUL_SPINE_H

#include "explore/search.h"

/* Returns the choice of the schedule that the spine is to follow, in the state before event s->tree.pos: an index into view->choices. -1: there is
   none, and the walk makes its own choice. */
int spine_pick(struct search *s, const struct sched_view *view);

/* Call it for each event that was not seen before. */
void spine_observe(struct search *s, const struct event *e);

/* Call it when an execution has ended and its races have been analysed, so that the nodes have all branches that are left to explore. */
void spine_end(struct search *s, enum run_verdict verdict);

/* Call it when the search becomes one of several workers, under the lock of the common part. */
void spine_share(struct search *s);

/* Call it before the walk looks for the next execution. Returns true when the search must end. */
bool spine_wants_no_more(const struct search *s);

/* Keeps the events of an execution that passed as the spine of s. Returns false when memory is used up. */
bool spine_keep(struct search *s, const struct event *event, uint32_t n);
/* Sets *event to the events of the spine of a search x in `size` bytes of memory that may be damaged. Returns false if it has none. */
bool spine_events(const void *memory, size_t size, const struct search *x, const struct event **event, uint32_t *n);

/* Call it at the same place. Restarts the search when an execution has passed that can be its first. */
void spine_restart(struct search *s);

#endif
