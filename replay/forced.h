/*
 * The strategy that follows a given schedule, for confirmation and replay. The schedule is in the
 * session segment, written by the supervisor. The first divergence is recorded in session->divergence. With MODE_GUIDED the segment has a
 * plan instead, and the strategy is that of replay/guided.h.
 */
#ifndef SIMUL_FORCED_H
#define SIMUL_FORCED_H

#include <stdbool.h>

#include "base/session.h"
#include "sched/strategy.h"

/* Sets *out to the strategy that follows the session's schedule, for one execution. Returns false when the layout is unusable. */
bool forced_attach(struct session *session, struct strategy *out);

/* After forced_pick has picked thread t: returns the order (enum rc11_order) that the schedule has for the step besides
   the program's own (world_strengthen). 0, which is relaxed, if it has none, or if no schedule is followed. */
unsigned forced_order(thread_id t);

#endif
