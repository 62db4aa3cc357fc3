/*
 * Whether an operation could be performed at another place of the trace, and with which outcome.
 *
 * The place is always the end of the execution that is left when some events are taken out: `root[]` are events of the trace, and each
 * takes out itself and everything that happens after it. What is left is an execution, since every event in it has its past. The answers
 * replay the state of the object from its events.
 */
#ifndef SIMUL_FEASIBLE_H
#define SIMUL_FEASIBLE_H

#include "explore/search.h"

#define MAX_ROOTS 8

struct cut {
	uint32_t root[MAX_ROOTS];
	uint32_t n;
	uint32_t self; /* index of the reversed event when it is in the trace (it is taken out, too); else NO_INDEX */
	bool blocked;  /* the operation is blocked at the end of the execution */
	const struct await_table *await; /* of the trace: what is known about spin loops, or NULL */
	/* Instead of roots: of the events from `from` on, only those are left that clock upto (of width upto_w) covers, or those k with
	   kept[k - from]. Both NULL: the roots decide. */
	const uint32_t *upto;
	const uint8_t *kept;
	uint32_t upto_w, from;
};

/* Returns whether event k is taken out. */
bool cut_removes(struct search *s, const struct cut *c, uint32_t k);
/* Adds a root. Returns false when there is no room. */
bool cut_add(struct cut *c, uint32_t root);
/* The smallest root: the new sequence starts in its state. */
uint32_t cut_start(const struct cut *c);

/*
 * Returns whether the pending operation *e would be enabled at the end of what is left; true when in doubt (descriptors, signals), since an
 * infeasible plan is detected when it is performed. Sets *sure = false when a thread waits in a spin loop and the value that it finds is
 * not known. `latest`: the only root is the latest event that e depends on. When a writer is blocked by readers whose release is cut away,
 * *blocker is one of them, else NO_INDEX.
 */
bool feasible(struct search *s, const struct event *e, const struct cut *c, bool latest, uint32_t *blocker, bool *sure);

/* feasible() for operations on what lies outside, such as descriptors: only what was pending in the state of the first root is known. */
bool feasible_outside(struct search *s, const struct event *e, const struct cut *c);

/* Sets the outcome (modes, seq, result, flags) of *e to the one at that place. An unknown outcome becomes the one with the most
   dependences. */
void outcome(struct search *s, struct event *e, const struct cut *c);

#endif
