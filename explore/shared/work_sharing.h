/*
 * Several workers on one tree of executions.
 *
 * A worker's stack of nodes is split: other workers may know the first `share.shared` states; those above are private. The shared part of
 * the tree is one wakeup tree in the common part, under a lock. Its branches stay there when they are taken and when they are explored. A
 * worker holds one leaf of it at a time. It explores everything below that leaf alone until it gives away a part. A worker that finds a
 * race between an event of the shared part and a later event inserts into the shared tree.
 *
 * Optimal-DPOR relies on the order of siblings: while q is explored, the siblings before it sleep, and what they cover is skipped below q.
 * That is sound because the exploration of each such sibling p came first and has already inserted under q every sequence starting with q
 * that must be explored. Here p and q are explored at the same time. Therefore p's exploration keeps inserting under q, whatever the progress
 * of q's exploration is, and for this the branches stay. At a shared state, `insert` (optimal.c) sees what it would see if all branches
 * before the worker's own were explored and none after it, with one exception: what continues a leaf that is taken is explored freely from
 * there.
 *
 * The exact effect of a branch in its state is known only after the first execution through it. Its later siblings, for which it sleeps,
 * are not taken before that.
 */
#ifndef SIMUL_WORK_SHARING_H
#define SIMUL_WORK_SHARING_H

#include "explore/search.h"
#include "explore/shared/common.h"
#include "explore/tree/wakeup.h"

/* What the workers know of the spine (dpor/spine.h). */
struct common_spine {
	uint32_t certified; /* every execution that begins with so many of its events was explored; NO_INDEX: not known here */
	uint32_t least;     /* failures keep that number from falling below this */
	uint32_t frozen;    /* enum spine_reason, one bit each: of all workers */
};

/* What the workers of strategy graphs share (graph/graphs_sharing.c). */
struct common_graphs {
	aref parts;         /* list of struct graphs_part: parts of the search that no worker has */
	uint32_t left;      /* parts of the search that are not done, with those that workers have */
	uint32_t members;   /* workers that have joined and not retired */
	uint32_t round;     /* how often the search began again */
	uint32_t behind;    /* workers that have not taken notice of that yet */
	uint32_t why;       /* stats.graphs_left of the first worker that goes on with samples */
};

/* The common part. Its arena lies COMMON_HEADER bytes after its start. */
struct common {
	uint64_t magic, size;
	uint32_t lock;    /* number of the worker that changes it; 0: none */
	uint32_t lining;  /* workers that sleep on the lock */
	uint32_t wakeup;  /* incremented when there is new work, and when the search is over */
	uint32_t idle;    /* workers that wait for work */
	uint32_t workers; /* workers that have joined */
	uint32_t over;
	aref root;        /* struct branch that leads to the first state */
	aref open;        /* list of the branches whose state has a further branch to take */
	struct common_spine spine;
	struct common_graphs graphs;
};
_Static_assert(sizeof(struct common) <= COMMON_HEADER, "the arena comes behind it");

/* Call it only for a search that has joined (s->share.worker). */
static inline struct common *common_of(struct search *s)
{
	return (struct common *)((char *)s + s->core.common_at);
}

/* The branch r of the shared tree; in_common must be set. Its children are the branches of the state that it leads to. */
static inline struct branch *branch_at(struct core *s, aref r)
{
	return (struct branch *)wakeup_at(s, r);
}

/* Makes the first branch of the common part, which leads to the state before the first event. This worker holds it. Returns false when
   memory is used up. */
bool share_root(struct search *s);

/* Call share_enter before and share_leave after looking at what is planned at node i. In between, s->core.in_common says whether that state
   is shared; if so, the wakeup trees are those of the common part. */
void share_enter(struct search *s, uint32_t i);
void share_leave(struct search *s);
/* s->core.in_common: the list of branches planned at the shared state i, after the branch of this worker and those before it. */
aref *share_planned(struct search *s, uint32_t i);
/* The branch that leads to state i. */
aref share_path(struct search *s, uint32_t i);
/* s->core.in_common: records that branch r was appended to the state that `parent` leads to, to reverse a race at state `root`. */
void share_note(struct search *s, aref r, aref parent, uint32_t root);
/* s->core.in_common: returns whether r is a leaf, below which everything is or will be explored. */
bool share_is_leaf(struct search *s, aref r);

/* Gives work away when other workers wait for it. Call it between two executions. */
void share_offer(struct search *s);
/*
 * Takes another leaf after the one that this worker held, if any, is explored. Cuts the stack back to what leads to the new leaf. Returns
 * false when there is no leaf to take: s->share.waiting is set, or the whole search is over.
 */
bool share_next(struct search *s);
/* Retires this worker; call it between two executions. The work it has left goes to the other workers. `more`: something is planned at
   the topmost node, whose explored event already sleeps. May run out of memory (s->core.failed). */
void share_hand_back(struct search *s, bool more);
/* Returns how many events of the spine, at least, the running execution begins with, from the part of the tree that is shared. */
uint32_t share_on_spine(struct search *s);

/* Ends the search for all workers: nothing is left, or this worker cannot continue. */
void share_end(struct search *s);

/* The step from the shared state i < s->share.shared towards the held leaf: the event that was seen, or from s->share.settled on the planned one. */
const struct wakeup *share_step(struct search *s, uint32_t i);
/* Gives the topmost node i < s->share.shared, just made, its sleep set. Returns false when memory is used up. */
bool share_sleepers(struct search *s, uint32_t i);
/* For infeasible plans: struct branch.root of the branch that leads on from state i, see wakeup.h. */
uint32_t share_root_of(struct search *s, uint32_t i);

/* Records the effects of the branches on the path. Call it after the first execution that reached the leaf, when all its nodes have
   clocks. */
void share_settle(struct search *s);

#endif
