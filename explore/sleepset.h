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
	uint32_t pad_;
};

/* Items of a sequence while it is put into a wakeup tree. */
enum item_state { ITEM_LEFT = 0, ITEM_MET = 1, ITEM_CHOSEN = 2 };
#define USE_LEFT (1u << ITEM_LEFT)
#define USE_MET (1u << ITEM_MET)
#define USE_CHOSEN (1u << ITEM_CHOSEN)
#define USE_ALL (USE_LEFT | USE_MET | USE_CHOSEN)

/* A sequence of events v to be executed from the state of some node: events of the current trace, then
   perhaps one that is new there (`last`). */
struct sequence {
	uint32_t start;           /* node from whose state v is executed */
	const uint32_t *at;       /* indices of nodes, ascending */
	uint32_t n;               /* how many */
	const struct event *last; /* the reversed event; NULL: none */
	uint8_t *state;           /* [n + 1] enum item_state */
};

/* Item k of v: k < v->n + (v->last != NULL). */
const struct event *sequence_event(struct search *s, const struct sequence *v, uint32_t k);
uint32_t sequence_length(const struct sequence *v);

/* q in WI(v): is choice q, which is event *q here, the first step of some sequence equivalent to v or to an
   extension of v? If so, *at = the item of v that it is, or NO_INDEX when q is independent of v altogether. If
   not, *at = the first item that conflicts with it. `deadly`: q is dependent with everything. Only items whose
   state is in `use` count. */
bool weak_initial(struct search *s, const struct event *q, bool deadly, const struct sequence *v, unsigned use,
	uint32_t *at);

/* Gives the topmost node i the sleep set that it inherits over event i - 1. false: no memory. */
bool sleepset_inherit(struct search *s, uint32_t i);
/* Puts the explored event of the topmost node i to sleep there. */
bool sleepset_add(struct search *s, uint32_t i);
bool sleepset_has(struct search *s, uint32_t i, thread_id t, unsigned alt);
struct sleeper *sleepers(struct search *s, uint32_t i);
/* Is some choice that sleeps at node i a weak initial of v? Then what v reaches was explored before. */
bool sleepset_covers(struct search *s, uint32_t i, const struct sequence *v);

#endif
