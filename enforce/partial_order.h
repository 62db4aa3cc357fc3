/*
 * From the events of an execution to those of a certificate: what other threads cannot observe is left out, a store that went through a
 * store buffer is one event, and each event has a list of the events of other threads that it waits for.
 */
#ifndef SIMUL_PARTIAL_ORDER_H
#define SIMUL_PARTIAL_ORDER_H

#include "sched/event.h"

struct ordered_event {
	struct event e;      /* of a buffered store: as it reaches memory, under the name of its thread */
	uint32_t at;         /* index of the event in the execution; of a buffered store: where it was made */
	uint32_t place;      /* the same; of a buffered store: where it reached memory */
	uint32_t *after, n;  /* indices into `event`: transitively reduced */
};

struct partial_order {
	struct ordered_event *event;
	uint32_t n;
	uint32_t certified; /* of these, given how many of the execution's events are */
};

/* false: it cannot be enforced, `why` (static) says why. */
bool partial_order_make(const struct event *events, uint32_t n, uint32_t certified, struct partial_order *out, const char **why);
void partial_order_free(struct partial_order *o);

#endif
