/*
 * Minimization: turns a failing schedule into one that fails in the same way with fewer switches, then fewer preemptions, then fewer
 * choices that differ from 0, then fewer delayed stores, then fewer steps. The caller runs the executions.
 *
 * Four methods are applied in turn: other orders of the same trace (reorder.h); removing switches from the schedule; moving each switch
 * one event earlier; and, while preemptions remain, all schedules with none, with one, ... of them, beginning with those that keep the
 * order of the failing one (iterative context bounding: Musuvathi and Qadeer, PLDI 2007). A result of the last method is taken only
 * when it costs less, switches first.
 *
 * A program whose own scheduler makes the choices (SystemC) has one thread. For it, the schedule with the fewest
 * choices that differ from the scheduler's own is looked for (choices.h).
 */
#ifndef SIMUL_MINIMIZE_H
#define SIMUL_MINIMIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/cost.h"
#include "replay/guided.h"
#include "sched/event.h"

/* The result of one run. */
struct minimize_outcome {
	bool fails; /* in the same way as the schedule to be minimized */
	bool ends_well; /* the execution ended, without any failure */
	bool over;  /* there was no run and there will be none: the time is up */
	/* the execution, valid until the next run: n events, and notes for the first `notes` of them */
	const struct event *event;
	const struct guided_note *note;
	uint32_t n, notes;
};

/* Runs the program once with this plan (struct guided). Thread ids have the same meaning in all runs. */
typedef void (*minimize_run)(void *ctx, const struct guided_turn *turn, uint32_t turns, struct minimize_outcome *out);

struct minimize_result {
	struct event *event; /* malloc()ed: the best execution; NULL: none is better than the given one */
	uint32_t n;
	struct schedule_cost before, after;
	unsigned runs;
	bool least; /* no schedule with fewer preemptions fails: all that switch at operations on shared objects were tried. Never set with more
	               than 64 threads or drain agents */
	bool least_choices; /* no schedule of this one thread with fewer choices of other values than 0 fails: all
			       were tried */
};

/* Minimizes the failing execution of n events with at most max_runs runs. */
void minimize(const struct event *event, uint32_t n, minimize_run run, void *ctx, unsigned max_runs,
	struct minimize_result *out);

#endif
