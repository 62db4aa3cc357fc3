/* Inside supervise(): bugs, from the moment that a target has one until its owner has all that will be known of it. */
#ifndef SIMUL_HANDOVER_H
#define SIMUL_HANDOVER_H

#include "cli/supervise/loop.h"

/* The target of w waits in STATE_BUG_WAIT. false: the session is over. */
bool handover_bug(struct loop *l, struct worker *w);
/* It waits in STATE_BUG_EXPLAINED. */
void handover_explained(struct loop *l, struct worker *w);
/* The target of w is gone, or will be, whatever it was about to say. */
void handover_gone(struct loop *l, struct worker *w);
/* The target of w runs no more. Was it stopped between the failure and STATE_BUG_WAIT? The bug is in its segment all the same, and is handed over. */
void handover_left(struct loop *l, struct worker *w);

#endif
