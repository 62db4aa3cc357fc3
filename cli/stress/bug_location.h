/* Where in the sources a bug is, and its steps. */
#ifndef SIMUL_STRESS_BUG_LOCATION_H
#define SIMUL_STRESS_BUG_LOCATION_H

#include "cli/stress/test.h"
#include "recorder/recording.h"

/* `path` as seen from the top of the sources: GITHUB_WORKSPACE, or where we are; as it is when it lies elsewhere. Points into it. */
const char *location_in_sources(const char *path);

/*
 * Sets b->file and b->line. With a failing exit status: where a check failed, if the framework says so. Else where the failing thread was; of a test
 * that its framework failed after it had returned, where that test stands. Unchanged when nothing is known.
 */
void location_of_bug(struct stress_bug *b, const struct recording *r, const struct stress_test *t);

/* What SARIF shows as a code flow: the steps in their order, of many the last ones. */
json_t *location_flow(const struct recording *r);

#endif
