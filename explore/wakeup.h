/*
 * Wakeup trees (JACM 2017, section 7.1): sequences that must still be explored from a state.
 *
 * A node of a tree is one choice, with what is known of the event it will be. Its object ids are those of
 * the execution that inserted it: they may be compared with another execution's only when they are at
 * most `known`, the largest id that existed in the state where it was inserted, since both executions
 * went through that state. (Subtrees are handed down while they are being followed.)
 */
#ifndef SIMUL_WAKEUP_H
#define SIMUL_WAKEUP_H

#include "explore/search.h"

struct wakeup {
	struct event ev; /* thread, alt, kind, modes, seq; objects as said above */
	aref child;      /* first of the ordered children */
	aref next;       /* next sibling */
	uint32_t idx;    /* how-manieth event of its thread */
	uint32_t known;  /* object ids up to this one are the same in all executions that reach this node */
	uint32_t by;     /* which insertion it came with */
	uint32_t pad_;
};

static inline struct wakeup *wakeup_at(struct search *s, aref r)
{
	return arena_ptr(search_arena_of(s), r);
}

/* A new node at the end of the list *head; 0 when memory is used up. head may lie in the nodes array: the
   arena never moves it here. */
aref wakeup_append(struct search *s, aref *head, const struct event *ev, uint32_t idx);
/* Takes the first node off the list and frees it; returns its choice, and its children in *child. */
struct event wakeup_take_first(struct search *s, aref *head, aref *child);
/* Frees a list of nodes with everything below. */
void wakeup_free(struct search *s, aref list);
uint32_t wakeup_count(struct search *s, aref list);
/* The node of the list with this choice, or 0. */
aref wakeup_find(struct search *s, aref list, thread_id t, unsigned alt);

#endif
