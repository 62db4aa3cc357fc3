/*
 * Wakeup trees (JACM 2017, section 7.1): sequences that must still be explored from a state.
 *
 * A node of a tree is one choice, with what is known of its event. Ids of objects (except memory cells) differ between executions, so the
 * node stores the names of its objects. wakeup_event translates them into the ids of the running execution.
 */
#ifndef SIMUL_WAKEUP_H
#define SIMUL_WAKEUP_H

#include "explore/trace/trace_state.h"

struct wakeup {
	struct event ev; /* obj[] are ids of the execution that made it, only a hint */
	aref child;      /* first child; children are ordered */
	aref next;       /* next sibling */
	uint64_t name[2]; /* names of its objects; 0: no object, or memory */
	struct forward forward; /* bytes that it will read from its thread's buffer */
	uint64_t guess;  /* what its unit is expected to do, see unit.h */
};

/* A node of the tree that several workers share (work_sharing.h). */
struct branch {
	struct wakeup w;    /* once settled: the event that was seen */
	aref parent;        /* 0: the root */
	aref pending;       /* first child that is not taken; all later children are not taken either */
	aref pruned;        /* children from the first up to this one no longer keep their own children */
	uint32_t depth;     /* number of events that lead to the state after it */
	uint32_t root;      /* depth of the state at which it was planned, see node.tree_root */
	uint32_t left;      /* unfinished children, plus 1 while a worker holds it */
	aref open_prev, open_next;
	uint8_t taken;      /* some worker has gone this way */
	uint8_t settled;    /* its effects have been seen */
	uint8_t unsettled_child; /* the latest child taken is not settled */
	uint8_t leaf;       /* it had no children when it was taken: everything after it is explored freely */
	uint8_t oversleeps; /* for the state after it, see sleepset_oversleep */
	uint8_t deadly;     /* see struct node */
	uint8_t open;       /* it is in the list `open` */
	uint8_t spine;      /* it leads to a state of the spine (dpor/spine.h) */
	uint32_t foot_n;    /* settled, and its event begins a unit of several events (unit.h): what the unit did */
	aref feet;          /* struct foot[foot_n]; 0: none */
	uint64_t did;       /* hash of what its unit did, to compare with a guess; 0: not known */
};

static inline struct wakeup *wakeup_at(struct core *s, aref r)
{
	return arena_ptr(tree_arena_of(s), r);
}

/* Appends a new node for event ev of the running execution to the list *head. *f: bytes from its buffer; NULL: none. Returns 0 when
   memory is used up. head may point into a node: the arena does not move nodes here. */
aref wakeup_append(struct core *s, aref *head, const struct event *ev, const struct forward *f);

/* Gives branch *b zeroed feet[0 .. n). Returns NULL when memory is used up, and for n == 0. Call it once for each
   branch, while s->in_common is set. */
struct foot *wakeup_add_feet(struct core *s, struct branch *b, uint32_t n);

/* Sets the event of node *w and keeps its place in the tree. */
void wakeup_set(struct core *s, struct wakeup *w, const struct event *ev, const struct forward *f);

/* Returns the name of an object of the running execution; 0: it has none, or it is memory. */
uint64_t object_name(struct core *s, object_id o);
/* Sets the ids of *e's objects, which have these names, to those of the running execution; OBJECT_ELSEWHERE for an object that the
   execution has not met. */
#define OBJECT_ELSEWHERE (OBJECT_MEMORY - 1)
void objects_named(struct core *s, struct event *e, const uint64_t name[2]);
/* The event of node r with the object ids of this execution. */
struct event wakeup_event(struct core *s, aref r);
/* Removes and frees the first node of the list. Returns its choice, and its children in *child. */
struct event wakeup_take_first(struct core *s, aref *head, aref *child);
/* Frees a list of nodes with everything below. */
void wakeup_free(struct core *s, aref list);
uint32_t wakeup_count(struct core *s, aref list);
/* Returns the node of the list with this choice, or 0. */
aref wakeup_find(struct core *s, aref list, thread_id t, unsigned alt);

#endif
