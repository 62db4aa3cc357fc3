/* Internal to supervise(): the handling of a bug, from the failure in a target until the owner has all that will be known of it. */
#ifndef SIMUL_HANDOVER_H
#define SIMUL_HANDOVER_H

#include "cli/supervise/loop.h"

/* The target of w waits in STATE_BUG_WAIT. false: the session has ended. */
bool handover_bug(struct loop *l, struct worker *w);
/* The target of w waits in STATE_RACE. */
void handover_race(struct loop *l, struct worker *w);
/* The target of w waits in STATE_BUG_EXPLAINED. */
void handover_explained(struct loop *l, struct worker *w);
/* The target of w has ended or will end, so it cannot report anything more. */
void handover_gone(struct loop *l, struct worker *w);
/* The target of w has ended. If it was stopped between the failure and STATE_BUG_WAIT, its segment still holds the bug, which is handed
   over here. */
void handover_left(struct loop *l, struct worker *w);
/* Kills the target of w and all its processes, and handles a bug that it was handing over. */
void handover_kill(struct loop *l, struct worker *w);

#endif
