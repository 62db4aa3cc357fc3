/* What is run for a test: replays of what is recorded, the test by itself, slices of its search. */
#ifndef SIMUL_STRESS_STEPS_H
#define SIMUL_STRESS_STEPS_H

#include "cli/stress/pool.h"

/* Each recording of an earlier run once. */
extern const struct pool_ops steps_replay;
/* Each recording of this run once more, to be run with nothing beside: did it need the tests that ran beside it? */
extern const struct pool_ops steps_alone;
/* Once without simul, then one slice of the search in each round. */
extern const struct pool_ops steps_search;

/* What is known before anything is run: can it be run at all, what was found earlier, what needs no search. */
void steps_prepare(struct stress *s, struct stress_test *t);
/* After the replays: which tests need no search. */
void steps_decide(struct stress *s, struct stress_test *t);

/* Do the options for `simul run` mean something? false: its message was printed. */
bool steps_check_options(struct stress *s);

#endif
