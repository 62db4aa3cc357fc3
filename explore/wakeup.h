/*
 * Wakeup trees (JACM 2017, section 7.1): sequences that must still be explored from a state.
 *
 * A node of a tree is one choice, with what is known of the event it will be. Ids of objects (cells of memory aside) differ
 * from execution to execution, so it keeps the names of its objects; wakeup_event gives them the ids that they have
 * in the running execution.
 */
#ifndef SIMUL_WAKEUP_H
#define SIMUL_WAKEUP_H

#include "explore/search.h"

struct wakeup {
	struct event ev; /* obj[]: ids in the execution that made it, a mere hint */
	aref child;      /* first of the ordered children */
	aref next;       /* next sibling */
	uint64_t name[2]; /* of its objects; 0: it has none, or it is memory */
	struct forward forward; /* bytes that it will have from its buffer */
	uint64_t guess;  /* what its unit is expected to do, see unit.h */
};

/* A node of the tree that several workers share (work_sharing.h). */
struct branch {
	struct wakeup w;    /* once settled: what was seen */
	aref parent;        /* 0: the root */
	aref pending;       /* first child that is not taken; those behind it are not either */
	aref pruned;        /* last child from the left whose children are not kept any more */
	uint32_t depth;     /* events that lead to the state behind it */
	uint32_t root;      /* depth of the state where it was planned, see node.tree_root */
	uint32_t left;      /* children that are not finished, and 1 when a worker holds it */
	aref open_prev, open_next;
	uint8_t taken;      /* some worker went or goes this way */
	uint8_t settled;    /* what it does has been seen */
	uint8_t unsettled_child; /* the last child taken is not */
	uint8_t leaf;       /* it had no children when it was taken: everything behind it is explored freely */
	uint8_t oversleeps; /* see sleepset_oversleep: in the state behind it */
	uint8_t deadly;     /* see struct node */
	uint8_t open;       /* in the list */
	uint8_t pad_;
};

static inline struct wakeup *wakeup_at(struct search *s, aref r)
{
	return arena_ptr(tree_arena_of(s), r);
}

/* A new node for event ev of the running execution, with bytes *f from its buffer (NULL: none), at the end of the list *head; 0
   when memory is used up. head may lie in a node: the arena never moves it here. */
aref wakeup_append(struct search *s, aref *head, const struct event *ev, const struct forward *f);

/* Says what node *w is; its place in the tree is left as it is. */
void wakeup_set(struct search *s, struct wakeup *w, const struct event *ev, const struct forward *f);

/* The name of an object of the running execution; 0: it has none, or it is memory. */
uint64_t object_name(struct search *s, object_id o);
/* Gives *e, whose objects have these names, the ids that they have in the running execution; OBJECT_ELSEWHERE for one that it has not met. */
#define OBJECT_ELSEWHERE (OBJECT_MEMORY - 1)
void objects_named(struct search *s, struct event *e, const uint64_t name[2]);
/* The event of node r with this execution's object ids. */
struct event wakeup_event(struct search *s, aref r);
/* Takes the first node off the list and frees it; returns its choice, and its children in *child. */
struct event wakeup_take_first(struct search *s, aref *head, aref *child);
/* Frees a list of nodes with everything below. */
void wakeup_free(struct search *s, aref list);
uint32_t wakeup_count(struct search *s, aref list);
/* The node of the list with this choice, or 0. */
aref wakeup_find(struct search *s, aref list, thread_id t, unsigned alt);

#endif
