/*
 * Could an operation be performed at another place of the trace, and what would come of it?
 *
 * The question is always about the execution that is left when some events are taken out: `root[]` are
 * events of the trace, and each takes out itself and all that happens after it. What is left is an
 * execution (everything in it has its past). The answers replay the state of the object from its events.
 */
#ifndef SIMUL_FEASIBLE_H
#define SIMUL_FEASIBLE_H

#include "explore/search.h"

#define MAX_ROOTS 8

struct cut {
	uint32_t root[MAX_ROOTS];
	uint32_t n;
	uint32_t self; /* index of the reversed event itself when it is in the trace: out too; else NO_INDEX */
	bool blocked;  /* the operation is blocked at the end of the execution */
	const struct await_table *await; /* of the trace: what is known of spin loops, or NULL */
	/* Instead of roots: of the events from `from` on only those are left that clock upto (of width upto_w) covers, or those k with
	   kept[k - from]. Both NULL: roots say. */
	const uint32_t *upto;
	const uint8_t *kept;
	uint32_t upto_w, from;
};

/* Is event k taken out? */
bool cut_removes(struct search *s, const struct cut *c, uint32_t k);
/* Adds a root; false when there is no room. */
bool cut_add(struct cut *c, uint32_t root);
/* Smallest root: the state it stands in is where the new sequence starts. */
uint32_t cut_start(const struct cut *c);

/*
 * Would the pending operation *e be enabled at the end of what is left? true when in doubt (descriptors,
 * signals): an infeasible plan is noticed when it is carried out. *sure = false when a thread waits in a spin loop and it is
 * not known what it finds. `latest`: the only root is the latest event that e depends on. When a writer finds readers whose release is cut away, *blocker is one of them, else NO_INDEX.
 */
bool feasible(struct search *s, const struct event *e, const struct cut *c, bool latest, uint32_t *blocker, bool *sure);

/* Brings the outcome (modes, seq, result, flags) of *e up to date for that place. When it can't be known it
   becomes the one with the most dependences. */
void outcome(struct search *s, struct event *e, const struct cut *c);

#endif
