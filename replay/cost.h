/*
 * How much there is to understand in an execution: what minimisation makes smaller.
 */
#ifndef SIMUL_COST_H
#define SIMUL_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/event.h"

struct schedule_cost {
	unsigned switches;    /* from one thread to another, preemptions included; an UPDATE is nobody's event */
	unsigned preemptions; /* as recording_preemptions counts them */
	unsigned delayed;     /* buffered stores that do not reach memory right after they were made */
	uint32_t steps;
};

/* What n events cost. Drain agents' events say whose they are, so no names are needed. */
struct schedule_cost schedule_cost(const struct event *event, uint32_t n);

/* What comes first. What is recorded has the fewest switches, then the fewest preemptions; the other order is a way to look for it. */
enum cost_order {
	COST_SWITCHES_FIRST,
	COST_PREEMPTIONS_FIRST,
};

/* Is a smaller than b: in the first of the four that differs, or with the second one first? */
bool schedule_cost_less(const struct schedule_cost *a, const struct schedule_cost *b, enum cost_order order);

#endif
