/*
 * The cost of an execution: an estimate of how hard it is to understand. Minimization reduces it.
 */
#ifndef SIMUL_COST_H
#define SIMUL_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/event.h"

struct schedule_cost {
	unsigned switches;    /* from one thread to another, including preemptions; UPDATEs belong to no thread */
	unsigned preemptions; /* as recording_preemptions counts them */
	unsigned chosen;      /* choices (CHOOSE) of another value than 0, which is the scheduler's own choice */
	unsigned delayed;     /* buffered stores that do not reach memory at once */
	uint32_t steps;
};

/* Returns the cost of n events. No names are needed: the events of drain agents contain their owner. */
struct schedule_cost schedule_cost(const struct event *event, uint32_t n);

/* The cost that is compared first. A recording has the fewest switches, then the fewest preemptions. The other order is used in a search. */
enum cost_order {
	COST_SWITCHES_FIRST,
	COST_PREEMPTIONS_FIRST,
};

/* Returns whether a is smaller than b: lexicographically over the fields, or with preemptions before switches. */
bool schedule_cost_less(const struct schedule_cost *a, const struct schedule_cost *b, enum cost_order order);

#endif
