/*
 * Turns the events of an execution into those of a certificate. Events that other threads cannot observe are left out. A store that went
 * through a store buffer becomes one event. Each event lists the events of other threads that it waits for.
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
void partial_order_free(struct partial_order *o);

#endif
