/*
 * Sleep sets and weak initials (JACM 2017, definitions 4.1, 7.2; sleep sets: Godefroid 1996).
 *
 * sleep(E) holds the choices whose continuation from E was explored already, each with the event it is
 * in state E. q stays asleep over p when the two are independent; then q is the same event afterwards,
 * outcome included, so the event is kept and never computed anew.
 */
#ifndef SIMUL_SLEEPSET_H
#define SIMUL_SLEEPSET_H

#include "explore/search.h"

struct sleeper {
	struct event ev;
	uint32_t deadly; /* the process died right after it: dependent with everything */
	uint32_t overslept; /* it slept still where the execution became free, see sleepset_oversleep */
	struct forward forward; /* bytes that it would have from its buffer now */
	uint32_t part; /* 1: no choice by itself, but another event of the unit (unit.h) that begins with the sleeper before it */
	uint64_t name[2]; /* part: of its objects */
};

/* Items of a sequence while it is put into a wakeup tree: left, chosen to be hung there, or met on the way down
   (ITEM_MET + how deep: from 0). */
enum { ITEM_LEFT = 0, ITEM_CHOSEN = 1, ITEM_MET = 2 };

/* Which items count. */
struct use {
	bool left, chosen;
	uint32_t met; /* those met at this depth or deeper; NO_INDEX: none */
};
#define USE_LEFT ((struct use){.left = true, .met = NO_INDEX})

/*
 * What an insertion decided, and how long that holds. Later executions repeat a part of this one and go on in another way: the
 * sequence for the same race then has the same items up to there, and others behind them. What was decided by items that are
 * nodes below `until` is decided in the same way as long as these nodes stay. `last` comes after everything else; it decides as
 * before when `last_stays`: it is dependent with nothing that the event it stands for, in the trace, is not dependent with. For
 * what depends on that event happens after the race, and is not in the sequence.
 */
struct verdict {
	uint32_t until;  /* NO_INDEX: only for this execution */
	bool last_stays;
};

/* A sequence of events v to be executed from the state of some node: events of the current trace, then
   perhaps one that is new there (`last`). */
struct sequence {
	uint32_t start;           /* node from whose state v is executed */
	uint32_t *at;             /* indices of nodes, ascending */
	uint32_t n;               /* how many */
	const struct event *last; /* the reversed event; NULL: none */
	uint32_t last_at;         /* its index in the trace; NO_INDEX: it is not there */
	uint32_t *state;          /* [n + 1] ITEM_* */
	struct verdict verdict;   /* of dpor_insert, which adds to it */
	const struct cut *rest;   /* the items that come after `last_at` are not there yet: those that this cut leaves; or NULL */
};

/* Adds what is left of nodes [from, to) to v, before `last`. There is room. */
struct cut;
void sequence_add(struct search *s, struct sequence *v, const struct cut *c, uint32_t from, uint32_t to);
/* Adds the items of v->rest: whoever is not dependent with `last`, or not for certain, must look at all of them. See
   struct verdict: for the others they decide nothing. */
void sequence_complete(struct search *s, struct sequence *v);

/* Notes that what is decided depends on how choice q (with bytes *f from its buffer; NULL: none) goes together with item `at` of v
   (NO_INDEX: with all) and those before it. */
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

/* A step of the way down a tree (optimal.c): the siblings from `list` on come before `taken` (0: before the new branch). */
struct level {
	aref list, taken;
};

/* q in WI(v): is choice q, which is event *q here (with bytes *f from its buffer; NULL: none), the first step of some sequence equivalent to v or to an
   extension of v? If so, *at = the item of v that it is, or NO_INDEX when q is independent of v altogether. If
   not, *at = the first item that conflicts with it. `deadly`: q is dependent with everything. Only items in
   `use` count. */
bool weak_initial(struct search *s, const struct event *q, const struct forward *f, bool deadly, struct sequence *v,
	struct use use, uint32_t *at);

/* Is sleeper x, a choice or a part of one, dependent with e, which has bytes *f from its buffer? (Arrivals at a barrier are independent, but which is
   the last one is another matter. Of choices it is seen when they are one.) */
bool sleeper_dependent(struct search *s, const struct sleeper *x, const struct event *e, const struct forward *f);
/* Gives the topmost node i the sleep set that it inherits over event i - 1. false: no memory. */
bool sleepset_inherit(struct search *s, uint32_t i);
/*
 * The execution is free from the topmost node i on. Where all outcomes are foretold exactly, nobody sleeps then, because a
 * branch is made to wake all sleepers. Who does sleep, because an event of the branch conflicts with less than was
 * assumed, is marked: from here on it covers only what it is really a first step of, as in Source-DPOR.
 */
void sleepset_oversleep(struct search *s, uint32_t i);
/* Puts the explored event of the topmost node i to sleep there. */
bool sleepset_add(struct search *s, uint32_t i);
bool sleepset_has(struct search *s, uint32_t i, thread_id t, unsigned alt);
struct sleeper *sleepers(struct search *s, uint32_t i);
/* Is some choice that sleeps at node i a weak initial of v? Then what v reaches was explored before. */
bool sleepset_covers(struct search *s, uint32_t i, struct sequence *v);

#endif
