/*
 * Barriers. Two arrivals are independent as long as neither completes the round. This is the one dependence that two events alone do not
 * decide. Two MEETs are independent as long as they are in one round.
 */
#ifndef SIMUL_BARRIER_H
#define SIMUL_BARRIER_H

#include "explore/tree/sleepset.h"

/* Returns how many threads a round takes, as seen in the latest completed round of the trace. UINT32_MAX: none was completed; then no
   set of arrivals of the trace completes one. */
uint32_t barrier_size(struct search *s, object_id o);

/* Returns whether e arrives without completing the round by itself. */
static inline bool barrier_arrives(const struct event *e)
{
	return e->mode[0] == M_ARRIVE || e->mode[0] == M_MEET;
}

/* Returns the round of MEET e of barrier o when it comes after the remaining events of the cut; e->seq is the round it was in. */
uint32_t barrier_round_left(struct search *s, const struct cut *c, object_id o, const struct event *e);
/* Where the walk back from a passing event over the events on barrier o starts (index + 1). All arrivals of its round come before it. */
uint32_t barrier_end(struct search *s, const struct cut *c, object_id o);
/* Returns whether the cut keeps every MEET of that round. */
bool barrier_met(struct search *s, const struct cut *c, object_id o, uint32_t round);

/* State of barrier_completes between calls; zero it at first. */
struct barrier_round {
	uint32_t size, arrived;
	uint32_t items; /* items of v counted so far */
};

/* q arrives in the state of node v->start, and item k of v arrives too; neither completes the round alone. Returns whether they complete
   it together, with the arrivals of v up to k that are in `use` or were met. For a MEET: returns whether item k completes it, so that only
   one of the two is in that round. For one q, call it with ascending k and keep *r in between. */
bool barrier_completes(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k, struct barrier_round *r);

#endif
