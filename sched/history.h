/*
 * History of the accesses to one word (8 bytes) of memory: those with which a later access may still conflict while nothing orders them
 * (sched/hb.h). Exact for every byte.
 *
 * An access is forgotten, byte by byte, when a later access to the same bytes represents it: the later one comes after it in
 * happens-before, conflicts with everything that it conflicts with, and is not more atomic. An access that conflicts with the forgotten one
 * and is not ordered with it is then not ordered with the later one either. (The rule of FastTrack, Flanagan and Freund, PLDI 2009, for
 * bytes and for atomic accesses, which race with plain ones only.)
 */
#ifndef SIMUL_HISTORY_H
#define SIMUL_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/hb.h"
#include "sched/ids.h"

/* Like MEM_*; PAST_EVENT: the access was an event, and its place in the code is known. */
enum past_flags { PAST_READ = 1, PAST_WRITE = 2, PAST_ATOMIC = 4, PAST_PLAIN = 32, PAST_EVENT = 128 };

struct past {
	uint32_t next;    /* number of the next access in the list, 0: none */
	uint32_t epoch;   /* of its thread, see hb.h */
	uint64_t pc;      /* place in the code, for an event */
	thread_id thread;
	uint8_t bytes;    /* bytes of the word, bit mask, not 0 */
	uint8_t flags;    /* PAST_* */
};

/* Room for accesses: at[1 .. cap). Zeroed memory, except `at` and `cap`, is an empty history. */
struct history {
	struct past *at;
	uint32_t cap;
	uint32_t used;  /* highest number ever in use */
	uint32_t empty; /* list of free entries */
	/* For an access that is no event, which thread t made in its `epoch`. Another thread has seen t's epoch `seen`. Returns whether the access
	   nevertheless does not come before what that thread does. NULL: this holds for no access. */
	bool (*hides)(thread_id t, uint32_t epoch, uint32_t seen);
};

/* Called for an earlier access that conflicts with the new one at `bytes` while nothing orders them. */
typedef void (*history_conflict)(void *ctx, const struct past *before, const struct past *now, unsigned bytes);

/* Adds *now (next is ignored) to the list that starts at *head, 0 when empty. Reports all conflicts first. keep: in a signal handler, the
   first epoch of its thread whose accesses must stay in the list beside the handler's; otherwise 0. Returns false when there is
   no room; then the access was not added. Calls no libc function. */
bool history_add(struct history *y, uint32_t *head, const struct hb *h, const struct past *now, uint32_t keep,
	history_conflict conflict, void *ctx);
/* Adds an access that was compared with those in the list when it was made. history_add would compare it with what its thread has seen
   since, and so forget accesses that did not come before it. Returns false when there is no room. Calls no libc function. */
bool history_append(struct history *y, uint32_t *head, const struct past *p);
/* Returns true when *now, which is no event, adds nothing to the list: its thread has accessed the bytes in the same way in the same
   epoch. (A later access that conflicts with it reported the conflict when it was added.) */
static inline bool history_has(const struct history *y, uint32_t head, const struct past *now)
{
	for (uint32_t i = head; i; i = y->at[i].next) {
		const struct past *p = &y->at[i];
		if (p->thread == now->thread && p->epoch == now->epoch && (now->bytes & ~p->bytes) == 0 &&
			(p->flags & PAST_WRITE) >= (now->flags & PAST_WRITE))
			return true;
	}
	return false;
}

/* Forgets accesses to these bytes. */
void history_forget(struct history *y, uint32_t *head, unsigned bytes);

#endif
