/*
 * Barriers. Two arrivals are independent as long as neither completes the round. This is the one dependence that two events alone do not
 * decide.
 */
#ifndef SIMUL_BARRIER_H
#define SIMUL_BARRIER_H

#include "explore/sleepset.h"

/* Returns how many threads a round takes, as seen in the latest completed round of the trace. UINT32_MAX: none was completed; then no
   set of arrivals of the trace completes one. */
uint32_t barrier_size(struct search *s, object_id o);

/* State of barrier_completes between calls; zero it at first. */
struct barrier_round {
	uint32_t size, arrived;
	uint32_t items; /* items of v counted so far */
};

/* q arrives in the state of node v->start, and item k of v arrives too; neither completes the round alone. Returns whether they complete
   it together, with the arrivals of v up to k that are in `use` or were met. For one q, call it with ascending k and keep *r in between. */
bool barrier_completes(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k, struct barrier_round *r);

#endif
