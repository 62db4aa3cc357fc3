/* What memory holds at another place of the trace, as far as the events of the trace tell. */
#ifndef SIMUL_VALUE_H
#define SIMUL_VALUE_H

#include "explore/feasible.h"

/*
 * Fingerprint of the value that the bytes touched by *e (a memory event, in the trace or not) have at the end of what is
 * left. 0: unknown. Events tell what they found, and fingerprints can be compared for exactly the same bytes only. So
 * it is known when an event on the same bytes found what the writes that are left had written: always, when all
 * accesses that overlap these bytes are on exactly these bytes.
 */
uint32_t value_left(struct search *s, const struct event *e, const struct cut *c);

#endif
