/* What work_sharing.c and work_giving.c have in common. */
#ifndef SIMUL_WORK_SHARING_INTERNAL_H
#define SIMUL_WORK_SHARING_INTERNAL_H

#include "explore/work_sharing.h"
#include "explore/sleepset.h"

/* The lock of the common part; in between wakeup trees are those of the common part (s->in_common). */
void share_lock(struct search *s);
void share_unlock(struct search *s);

/* The branches that lead to states 0, 1, ..., search.shared. */
static inline aref *share_paths(struct search *s)
{
	return vec_data(s, &s->path);
}

/* One thing less is left to do behind branch r. */
void share_less_left(struct search *s, aref r);

/* This worker waits for work, or no more. */
void share_set_waiting(struct search *s, bool waits);

/* What node i does, as a sleeper there; its clock is known. */
void share_sleeper_of(struct search *s, uint32_t i, struct sleeper *x);

#endif
