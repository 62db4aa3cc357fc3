/* Shared by work_sharing.c and work_giving.c. */
#ifndef SIMUL_WORK_SHARING_INTERNAL_H
#define SIMUL_WORK_SHARING_INTERNAL_H

#include "explore/shared/work_sharing.h"
#include "explore/tree/sleepset.h"

/* Takes and releases the lock of the common part. In between, wakeup trees are those of the common part (s->core.in_common). */
void share_lock(struct search *s);
void share_unlock(struct search *s);

/* The branches that lead to states 0, 1, ..., share.shared. */
static inline aref *share_paths(struct search *s)
{
	return vec_data(&s->core, &s->share.path);
}

/* Records that one task below branch r is done. */
void share_less_left(struct search *s, aref r);

/* Sets whether this worker waits for work. */
void share_set_waiting(struct search *s, bool waits);

/* Gives branch *b, which leads on from node i, what the unit that begins there did. May run out of memory
   (s->core.failed). */
void share_keep_feet(struct search *s, struct branch *b, uint32_t i);

/* Sets *x to what node i does, as a sleeper there, without the parts of its unit. Its clock must be
   known. */
void share_sleeper_of(struct search *s, uint32_t i, struct sleeper *x);

#endif
