/*
 * Barriers. Two arrivals are independent as long as neither completes the round: the one exception to the
 * rule that dependence can be read off two events, so it gets a file of its own.
 */
#ifndef SIMUL_BARRIER_H
#define SIMUL_BARRIER_H

#include "explore/sleepset.h"

/* How many threads a round takes, as seen in the latest completed round of the trace; UINT32_MAX when none was
   completed (then no set of arrivals that occur in the trace completes one). */
uint32_t barrier_size(struct search *s, object_id o);

/* What barrier_completes has counted so far; all 0 at first. */
struct barrier_round {
	uint32_t size, arrived;
	uint32_t items; /* of v that are counted */
};

/* q arrives in the state of node v->start, and so does item k of v, neither completing the round by itself. Do
   they complete it together, with the arrivals of v up to k that are in `use` or were met? Asked with ascending k for one q; *r is kept between. */
bool barrier_completes(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k, struct barrier_round *r);

#endif
