/* The value of memory at another place of the trace, as far as its events show it. */
#ifndef SIMUL_VALUE_H
#define SIMUL_VALUE_H

#include "explore/trace/feasible.h"

/*
 * Returns the fingerprint of the value that the bytes touched by *e (a memory event, in the trace or not) have at the end of what the cut
 * leaves; 0: unknown. Events report what they found, and fingerprints are comparable only for exactly the same bytes. So the value is known
 * when an event on the same bytes found what the remaining writes had written. That is always the case when all accesses that overlap these
 * bytes are on exactly these bytes.
 */
uint32_t value_left(struct search *s, const struct event *e, const struct cut *c);

#endif
