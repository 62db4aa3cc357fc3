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
};

static inline struct wakeup *wakeup_at(struct search *s, aref r)
{
	return arena_ptr(search_arena_of(s), r);
}

/* A new node for event ev of the running execution, with bytes *f from its buffer (NULL: none), at the end of the list *head; 0
   when memory is used up. head may lie in a node: the arena never moves it here. */
aref wakeup_append(struct search *s, aref *head, const struct event *ev, const struct forward *f);

/* The event of node r with this execution's object ids; OBJECT_ELSEWHERE for an object it has not met. */
#define OBJECT_ELSEWHERE (OBJECT_MEMORY - 1)
struct event wakeup_event(struct search *s, aref r);
/* Takes the first node off the list and frees it; returns its choice, and its children in *child. */
struct event wakeup_take_first(struct search *s, aref *head, aref *child);
/* Frees a list of nodes with everything below. */
void wakeup_free(struct search *s, aref list);
uint32_t wakeup_count(struct search *s, aref list);
/* The node of the list with this choice, or 0. */
aref wakeup_find(struct search *s, aref list, thread_id t, unsigned alt);

#endif
