/*
 * Turns the events of an execution into those of a certificate. Events that other threads cannot observe are left out.
 * A store that went through a store buffer becomes one event. What joins files to a group (EVF_GROUPS) has no effect
 * and is left out. A poll of a group depends on all events on files instead. Each event lists the events of other
 * threads that it waits for.
 */
#ifndef SIMUL_PARTIAL_ORDER_H
#define SIMUL_PARTIAL_ORDER_H

#include "sched/event.h"

struct ordered_event {
	struct event e;      /* a buffered store has the form in which it reaches memory, under the name of its thread */
	uint32_t at;         /* index of the event in the execution; for a buffered store, of the STORE */
	uint32_t place;      /* the same index; for a buffered store, of the UPDATE, where it reached memory */
	uint32_t *after, n;  /* indices into `event`: transitively reduced */
};

struct partial_order {
	struct ordered_event *event;
	uint32_t n;
	uint32_t certified; /* number of these events that are certified, given the certified number of the execution's events */
};

/* Returns false if the execution cannot be enforced; then *why (static) gives the reason. */
bool partial_order_make(const struct event *events, uint32_t n, uint32_t certified, struct partial_order *out, const char **why);
/*
 * Which events may be performed instead of the last certified one. `sibling` has n siblings of event `certified - 1` of the execution (struct
 * explore_spine). Sets out[0 .. result) to indices into o->event: each is the first event of its thread after the prefix, and has the kind of a
 * sibling. The list is empty if the prefix is not exactly that part of the execution, since a store began before its end and reached memory after
 * it; a sibling is left out if its kind is not allowed here.
 */
uint32_t partial_order_instead(const struct partial_order *o, uint32_t certified, const struct event *sibling, uint32_t n, uint32_t *out);
/* Returns whether an event of this kind may be performed instead of another one, and the other way round: accesses to memory, and operations on
   locks and semaphores. Their outcome depends only on what came before. */
bool partial_order_may_swap(unsigned kind);
void partial_order_free(struct partial_order *o);

#endif
