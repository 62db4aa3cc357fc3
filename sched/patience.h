/*
 * Waits that time out late (world_config.patience): watchdogs.
 *
 * A wait whose deadline is `patience` or more away when it begins times out only where no thread can go on in any other way. Where
 * several could, the one with the earliest deadline does, of equal ones that of the thread with the smallest id. The time-out is
 * ALT_TIMEOUT with EVF_LATE, of a condition or futex wait as ever; other timed operations (locks, semaphores, joins), which
 * otherwise try once, become those that block.
 *
 * What all others did comes before such an event, and whatever they do next comes after it, as nobody could do anything there: it
 * is dependent with every event, and never has another place. Operations on descriptors and waits for signals are left out.
 */
#ifndef SIMUL_PATIENCE_H
#define SIMUL_PATIENCE_H

#include "sched/world_internal.h"

/* t has announced an operation, which nothing has looked at yet. */
void patience_announced(const struct world *w, struct wthread *t);
/* Is alternative `alt` a time-out that the models do not know? Then *d (filled in as for them) says what it is. */
bool patience_decide(const struct wthread *t, unsigned alt, struct decision *d);
/* What struct step.timed_out is, for an operation of t that comes out as d. */
uint64_t patience_given_up(const struct wthread *t, const struct decision *d);

#endif
