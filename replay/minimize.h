/*
 * Minimisation: from one failing schedule to one that fails in the same way with fewer switches, then fewer preemptions, then fewer
 * delayed stores, then fewer steps. Executions are run by the caller.
 *
 * Four ways are gone in turn: other orders of the same trace (reorder.h); switches taken out of the schedule one by one; each switch one
 * event earlier; and, as long as there are preemptions left, all schedules with none, with one, ... of them, those first that keep the order of
 * the failing one (iterative context bounding: Musuvathi and Qadeer, PLDI 2007). What is found so is taken when it has not more switches.
 */
#ifndef SIMUL_MINIMIZE_H
#define SIMUL_MINIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/cost.h"
#include "replay/guided.h"
#include "sched/event.h"

/* What came of one run. */
struct minimize_outcome {
	bool fails; /* in the same way as the schedule that is to be minimised */
	bool ends_well; /* it came to its end, and nothing failed in any way */
	bool over;  /* there was no run, and there will be none: time is up */
	/* the execution, valid until the next run: n events, and a note for each of the first `notes` of them */
	const struct event *event;
	const struct guided_note *note;
	uint32_t n, notes;
};

/* Runs the program once with this plan (struct guided). Thread ids mean the same in all runs. */
typedef void (*minimize_run)(void *ctx, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out);

struct minimize_result {
	struct event *event; /* malloc()ed: the best execution; NULL: none is better than the given one */
	uint32_t n;
	struct schedule_cost before, after;
	unsigned runs;
	bool least; /* all schedules with fewer preemptions were tried, and do not fail, as far as switching at what threads share goes. Never
	               said with more than 64 threads, or drain agents */
};

/* Minimises the failing execution of n events with at most max_runs runs. */
void minimize(const struct event *event, uint32_t n, minimize_run run, void *ctx, unsigned max_runs,
	struct minimize_result *out);

#endif
