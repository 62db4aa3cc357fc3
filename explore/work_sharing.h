/*
 * Several workers on one tree of executions.
 *
 * A worker's stack of nodes is split: the first `search.shared` states may be known to others, those above are its own. The shared
 * part of the tree is one wakeup tree in the common part, under a lock, in which branches stay when they are taken and when they are
 * explored. A worker holds one leaf of it at a time: what is free below that leaf is its own affair until it gives
 * away some of it. Whoever finds a race between an event of the shared part and a later one inserts into the tree.
 *
 * Optimal-DPOR relies on the order of siblings: while q is explored the siblings before it sleep, and what they cover is not looked at below q,
 * because the exploration of such a p, which came first, has hung on q whatever begins with q and is not to be lost. Here p and q are explored at
 * the same time. So p's findings go on being hung on q, wherever q's exploration is: that is why branches stay. `insert` (optimal.c) sees
 * at a shared state what it would see if all branches before the own one were explored and none after it, but for
 * branches of which a leaf was taken: what continues a leaf is explored freely from there.
 *
 * What a branch does in its state is known exactly only after the first execution; until then its later siblings, for which it
 * sleeps, are not taken.
 */
#ifndef SIMUL_WORK_SHARING_H
#define SIMUL_WORK_SHARING_H

#include "explore/wakeup.h"

/* The common part; its arena lies COMMON_HEADER bytes behind its start. */
struct common {
	uint64_t magic, size;
	uint32_t lock;    /* worker that changes it; 0: nobody */
	uint32_t lining;  /* workers that sleep on the lock */
	uint32_t door;    /* bumped when there is work to be had, or none any more */
	uint32_t hungry;  /* workers that wait for work */
	uint32_t workers; /* that have joined */
	uint32_t over;
	aref root;        /* struct branch that leads to the first state */
	aref open;        /* branches from whose state another one can be taken: a list */
};
_Static_assert(sizeof(struct common) <= COMMON_HEADER, "the arena comes behind it");

/* Of a search that has joined (s->worker). */
static inline struct common *common_of(struct search *s)
{
	return (struct common *)((char *)s + s->common_at);
}

/* s->in_common: branch r of the shared tree. Its children hang on the state that it leads to. */
static inline struct branch *branch_at(struct search *s, aref r)
{
	return (struct branch *)wakeup_at(s, r);
}

/* The first branch of the common part, which leads to the state before the first event; a worker holds it. */
bool share_root(struct search *s);

/* Before looking at what is planned at node i, and after. In between s->in_common tells whether that state is shared; then
   wakeup trees are those of the common part. */
void share_enter(struct search *s, uint32_t i);
void share_leave(struct search *s);
/* s->in_common: where what is planned at the shared state i begins, the branch of this worker and those before it left out. */
aref *share_planned(struct search *s, uint32_t i);
/* The branch that leads to state i. */
aref share_path(struct search *s, uint32_t i);
/* s->in_common: branch r was hung on the state that `parent` leads to, at its end, to reverse a race at state `root`. */
void share_note(struct search *s, aref r, aref parent, uint32_t root);
/* s->in_common: is this a leaf, below which everything is or will be explored? */
bool share_is_leaf(struct search *s, aref r);

/* Between two executions: gives work away when others wait for some. */
void share_offer(struct search *s);
/*
 * What this worker held, if it held something, is explored: takes another leaf. The stack is cut back to what leads to it.
 * false: there is none; s->waiting, or everything is over.
 */
bool share_next(struct search *s);
/* Between two executions: this worker goes. `more`: there is something planned at the topmost node, whose explored event sleeps by now. What it
   would still have explored is for the others; it may fail for want of memory (s->failed). */
void share_hand_back(struct search *s, bool more);
/* Nothing is left, or this worker cannot go on: the others stop too. */
void share_end(struct search *s);

/* The step from the shared state i < s->shared towards what is held: what was seen, or (from s->settled on) what is planned. */
const struct wakeup *share_step(struct search *s, uint32_t i);
/* Gives the topmost node i < s->shared, just made, its sleep set. */
bool share_sleepers(struct search *s, uint32_t i);
/* For infeasible plans: see wakeup.h, struct branch. */
uint32_t share_root_of(struct search *s, uint32_t i);

/* After the first execution that went to a leaf, all of whose nodes have clocks: what the branches do is known now. */
void share_settle(struct search *s);

#endif
