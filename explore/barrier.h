/*
 * Barriers. Two arrivals are independent as long as neither completes the round: the one exception to the
 * rule that dependence can be read off two events, so it gets a file of its own. Of MEETs two are independent as long as they are in one round.
 */
#ifndef SIMUL_BARRIER_H
#define SIMUL_BARRIER_H

#include "explore/sleepset.h"

/* How many threads a round takes, as seen in the latest completed round of the trace; UINT32_MAX when none was
   completed (then no set of arrivals that occur in the trace completes one). */
uint32_t barrier_size(struct search *s, object_id o);

/* Does it arrive without completing the round by itself? */
static inline bool barrier_arrives(const struct event *e)
{
	return e->mode[0] == M_ARRIVE || e->mode[0] == M_MEET;
}

/* Which round a MEET of barrier o is in when it comes at the end of what is left; `seq`: the one it was in. */
uint32_t barrier_round_left(struct search *s, const struct cut *c, object_id o, const struct event *e);
/* Are all MEETs of that round left? */
bool barrier_met(struct search *s, const struct cut *c, object_id o, uint32_t round);

/* What barrier_completes has counted so far; all 0 at first. */
struct barrier_round {
	uint32_t size, arrived;
	uint32_t items; /* of v that are counted */
};

/* q arrives in the state of node v->start, and so does item k of v, neither completing the round by itself. Do
   they complete it together (MEET: does item k, so that only one of the two is in that round), with the arrivals of v up to k that are in `use` or were met? Asked with ascending k for one q; *r is kept between. */
bool barrier_completes(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k, struct barrier_round *r);

#endif
