/* The result of a test so far as JSON, so that another machine can continue with it or report it. */
#ifndef SIMUL_STRESS_OUTCOME_H
#define SIMUL_STRESS_OUTCOME_H

#include "cli/nightly/stress/stress.h"

/* Returns the result of t. Recordings are named without their directory. */
json_t *outcome_of(const struct stress_test *t);

/*
 * Replaces the result of t by one that outcome_of made, perhaps on another machine. What it does not have, or has with a wrong type, is as before
 * the first run. Recordings are taken to be in t->files.recordings.
 */
void outcome_take(struct stress_test *t, const json_t *o);

#endif
