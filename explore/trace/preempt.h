/*
 * How many preemptions a trace needs.
 *
 * Paper: Marmanis, Kokologiannakis, Vafeiadis, "Reconciling preemption bounding with DPOR" (TACAS 2023). A preemption is a switch away from
 * a thread that is enabled there and has further events in the sequence. A trace needs as many preemptions as its linear extension with the
 * fewest.
 */
#ifndef SIMUL_PREEMPT_H
#define SIMUL_PREEMPT_H

#include "explore/search.h"

enum preempt_answer { PREEMPT_YES, PREEMPT_NO, PREEMPT_UNKNOWN };

#define MOST_LAST 64 /* threads that a downset may have last events of */

/* An event that would come next in its thread, as its last one. */
struct last_event {
	const struct event *ev;
	const uint32_t *past; /* clock of what happens before it, as wide as that of the downset */
	uint32_t slot;        /* of its thread */
	uint32_t at;          /* its index where it was executed, or NO_INDEX: it is pending */
};

/* A part of the trace that is closed under happens-before: what clock `upto` covers, followed by n last events. All nodes are in lines
   (thread_events.h). */
struct downset {
	const uint32_t *upto;
	uint32_t w;
	const struct last_event *last;
	uint32_t n;
};

/*
 * Returns whether `most` preemptions are enough for *d. UNKNOWN: the search for a linear extension was given up, or memory is used up
 * (s->core.failed).
 */
enum preempt_answer preempt_within(struct search *s, const struct downset *d, uint32_t most, const struct await_table *await);

/* preempt_within for nodes [0, s->nodes.n) as a whole. */
enum preempt_answer preempt_whole(struct search *s, uint32_t most, const struct await_table *await);

#endif
