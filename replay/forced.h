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

#endif
