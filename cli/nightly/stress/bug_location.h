/* The source location of a bug, and its steps. */
#ifndef SIMUL_STRESS_BUG_LOCATION_H
#define SIMUL_STRESS_BUG_LOCATION_H

#include "cli/nightly/stress/test.h"
#include "recorder/recording.h"

/* Returns `path` relative to the top of the sources (GITHUB_WORKSPACE, or the current directory); unchanged if it is elsewhere. Points into
   `path`. */
const char *location_in_sources(const char *path);

/*
 * Sets b->file and b->line. For a failing exit status: the failed check, if the framework names it. Otherwise the position of the failing
 * thread; for a test that its framework failed after it returned, the position of the test. Unchanged if nothing is known.
 */
void location_of_bug(struct stress_bug *b, const struct recording *r, const struct stress_test *t);

/* Returns the steps for SARIF's code flow, in order; only the last ones if there are many. */
json_t *location_flow(const struct recording *r);

#endif
