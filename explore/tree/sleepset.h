/*
 * Sleep sets and weak initials (JACM 2017, definitions 4.1, 7.2; sleep sets: Godefroid 1996).
 *
 * sleep(E) holds the choices whose continuation from E was already explored, each with its event in state E. q stays asleep over p when the
 * two are independent. Then q is the same event afterwards, outcome included, so the stored event stays valid.
 */
#ifndef SIMUL_SLEEPSET_H
#define SIMUL_SLEEPSET_H

#include "explore/search.h"

struct sleeper {
	struct event ev;
	uint32_t deadly; /* the process died right after it: dependent with everything */
	uint32_t overslept; /* it still slept where the execution became free, see sleepset_oversleep */
	struct forward forward; /* bytes that it would read from its thread's buffer now */
	uint32_t part; /* 1: not a choice, but a further event of the unit (unit.h) that begins with the sleeper before it */
	uint64_t name[2]; /* part: names of its objects */
};

/* State of an item while its sequence is inserted into a wakeup tree: left over, chosen to be inserted, or met on the way down (ITEM_MET
   + depth, from 0). */
enum { ITEM_LEFT = 0, ITEM_CHOSEN = 1, ITEM_MET = 2 };

/* The items that count. */
struct use {
	bool left, chosen;
	uint32_t met; /* items met at this depth or deeper; NO_INDEX: none */
};
#define USE_LEFT ((struct use){.left = true, .met = NO_INDEX})

/*
 * How long the decision of an insertion holds. A later execution repeats a part of this one and then differs. Its sequence for the same
 * race has the same items up to there, and other items after them. A decision that was made by items that are nodes below `until` therefore
 * holds as long as these nodes stay. `last` comes after all items. It decides as before when `last_stays`: `last` is dependent only with
 * events that the event it stands for in the trace is dependent with. What depends on that event happens after the race, and so is not in
 * the sequence.
 */
struct verdict {
	uint32_t until;  /* NO_INDEX: the decision holds only for this execution */
	bool last_stays;
};

/* A sequence v of events to be executed from the state of some node: events of the current trace, optionally followed by an event that
   is new there (`last`). */
struct sequence {
	uint32_t start;           /* node from whose state v is executed */
	uint32_t *at;             /* indices of nodes, ascending */
	uint32_t n;               /* how many */
	const struct event *last; /* the reversed event; NULL: none */
	uint32_t last_at;         /* its index in the trace; NO_INDEX: it is not in the trace */
	uint32_t *state;          /* [n + 1] ITEM_* */
	struct verdict verdict;   /* the verdict of dpor_insert, which narrows it */
	const struct cut *rest;   /* the items after `last_at` are not added yet: they are what this cut leaves; or NULL */
};

/* Adds what the cut leaves of nodes [from, to) to v, before `last`. There must be room. */
struct cut;
void sequence_add(struct search *s, struct sequence *v, const struct cut *c, uint32_t from, uint32_t to);

/* Records that a decision depends on how choice q (with bytes *f from its buffer; NULL: none) relates to item `at` of v and the items
   before it (NO_INDEX: to all items). */
void sequence_depends(struct sequence *v, const struct event *q, const struct forward *f, uint32_t at);

/* Item k of v: k < v->n + (v->last != NULL). */
static inline const struct event *sequence_event(struct search *s, const struct sequence *v, uint32_t k)
{
	return k < v->n ? &node_at(s, v->at[k])->ev : v->last;
}
static inline uint32_t sequence_length(const struct sequence *v)
{
	return v->n + (v->last != NULL);
}
static inline bool item_used(const struct sequence *v, uint32_t k, struct use use)
{
	uint32_t x = v->state[k];
	return (x == ITEM_LEFT && use.left) || (x == ITEM_CHOSEN && use.chosen) || (x >= ITEM_MET && x - ITEM_MET >= use.met);
}

/* A step on the way down a tree (optimal.c): the siblings from `list` on come before `taken` (0: before the new branch). */
struct level {
	aref list, taken;
};

/* q in WI(v): returns whether choice q, which is event *q here (with bytes *f from its buffer; NULL: none), is the first step of some
   sequence equivalent to v or to an extension of v. If so, *at is the item of v that it is, or NO_INDEX when q is independent of all of
   v. If not, *at is the first item that conflicts with q. `deadly`: q is dependent with everything. Only items in `use` count. */
bool weak_initial(struct search *s, const struct event *q, const struct forward *f, bool deadly, struct sequence *v,
	struct use use, uint32_t *at);

/* Returns whether sleeper x, a choice or a part of one, is dependent with e, which has bytes *f from its buffer. Arrivals at a barrier
   are independent here; that the last one differs is handled where they are choices (barrier.h). */
bool sleeper_dependent(struct search *s, const struct sleeper *x, const struct event *e, const struct forward *f);
/* Gives the topmost node i the sleep set that it inherits over event i - 1. Returns false when memory is used up. */
bool sleepset_inherit(struct search *s, uint32_t i);
/*
 * Marks the choices that still sleep at the topmost node i, from which on the execution is free. Where all outcomes are predicted exactly
 * there are none, because a branch is made so that it wakes all sleepers. A choice still sleeps when an event of the branch conflicts with
 * less than was assumed. From here on it covers only sequences that it really is a first step of, as in Source-DPOR.
 */
void sleepset_oversleep(struct search *s, uint32_t i);
/* Puts the explored event of the topmost node i to sleep there. Returns false when memory is used up. */
bool sleepset_add(struct search *s, uint32_t i);
/* Puts the parts feet[1 .. n) of the latest sleeper of the topmost node i to sleep; feet[0] is the sleeper itself. n
   may be 0. Returns false when memory is used up. */
bool sleepset_add_parts(struct search *s, uint32_t i, const struct foot *feet, uint32_t n);
/* Returns the number of sleepers at node i, parts included, that were asleep before any choice was explored there. */
uint32_t sleepset_inherited(struct search *s, uint32_t i);
bool sleepset_has(struct search *s, uint32_t i, thread_id t, unsigned alt);
struct sleeper *sleepers(struct search *s, uint32_t i);
/* Returns whether some choice that sleeps at node i is a weak initial of v. Then what v reaches was explored before. */
bool sleepset_covers(struct search *s, uint32_t i, struct sequence *v);

#endif
