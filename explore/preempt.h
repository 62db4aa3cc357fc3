/*
 * How many preemptions a trace needs.
 *
 * Paper: Marmanis, Kokologiannakis, Vafeiadis, "Reconciling preemption bounding with DPOR" (TACAS 2023). A preemption is a switch
 * away from a thread that is enabled there and has further events in the sequence. A trace needs as many as the one of its
 * linear extensions that has the fewest.
 */
#ifndef SIMUL_PREEMPT_H
#define SIMUL_PREEMPT_H

#include "explore/search.h"

enum preempt_answer { PREEMPT_YES, PREEMPT_NO, PREEMPT_UNKNOWN };

/*
 * Are `most` preemptions enough for the events that clock `upto` (w numbers, by slot) covers of nodes [0, s->analysed)? They must be
 * closed under happens-before. UNKNOWN: the search for a linear extension was given up, or memory is used up (s->failed).
 */
enum preempt_answer preempt_within(struct search *s, const uint32_t *upto, uint32_t w, uint32_t most,
	const struct await_table *await);

/* The same for nodes [0, s->nodes.n) as a whole. */
enum preempt_answer preempt_whole(struct search *s, uint32_t most, const struct await_table *await);

#endif
