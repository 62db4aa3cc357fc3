/* The runs of a test: replays of its recordings, the test without simul, slices of its search. */
#ifndef SIMUL_STRESS_STEPS_H
#define SIMUL_STRESS_STEPS_H

#include "cli/nightly/stress/pool.h"

/* Replays each recording of an earlier run once. */
extern const struct pool_ops steps_replay;
/* Replays each recording of this run once more, with nothing running in parallel, to find out whether the failure needed the other tests. */
extern const struct pool_ops steps_alone;
/* Runs the test once without simul, then one slice of its search in each round. */
extern const struct pool_ops steps_search;

/* All of these for tests whose turn this machine takes (night.h), for pool_run_shared. */
extern const struct pool_ops steps_shared;

/* Evaluates what is known before anything runs: whether the test can run, which bugs were found earlier, whether it needs a search. */
void steps_prepare(struct stress *s, struct stress_test *t);
/* Call it after the replays: decides whether the test needs a search. */
void steps_decide(struct stress *s, struct stress_test *t);

/* Checks the options passed on to `simul run`. false: simul run's message was printed. */
bool steps_check_options(struct stress *s);

#endif
