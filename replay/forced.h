/*
 * The strategy that follows a given schedule: confirmation and replay. The schedule lies in the
 * session segment (written by the supervisor); what differs is noted in session->divergence. With MODE_GUIDED a plan lies there
 * (replay/guided.h), and the strategy is that one.
 */
#ifndef SIMUL_FORCED_H
#define SIMUL_FORCED_H

#include <stdbool.h>

#include "base/session.h"
#include "sched/strategy.h"

/* Makes *out the strategy that follows session's schedule, for one execution. false: the layout is unusable. */
bool forced_attach(struct session *session, struct strategy *out);

#endif
