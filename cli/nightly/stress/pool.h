/* Runs tests in parallel: at most --jobs processes, until the time is over or the user interrupts. */
#ifndef SIMUL_STRESS_POOL_H
#define SIMUL_STRESS_POOL_H

#include "cli/supervise/process.h"
#include "cli/nightly/stress/stress.h"

struct pool_ops {
	const char *doing; /* for the progress line: "searching" */
	/* Plans the next process for t, while `after` others wait; false: nothing more to run. Called again after each `ended`. The plan is
	   used immediately; plan->processors is t's share of the processors. */
	bool (*next)(struct stress *s, struct stress_test *t, size_t after, struct process_plan *plan);
	void (*ended)(struct stress *s, struct stress_test *t, const struct process *p);

	/* ---- for pool_run_shared; else NULL ---- */
	/* Returns the next test; NULL: there is none now. `alone`: no other test runs. */
	struct stress_test *(*take)(struct stress *s, bool alone);
	/* Called when nothing more runs for t now. */
	void (*left)(struct stress *s, struct stress_test *t);
	/* Called several times a second. Returns whether a test may still come. */
	bool (*goes_on)(struct stress *s);
	size_t (*waiting)(const struct stress *s); /* number of tests that wait */
};

/* Processes the list in order. */
void pool_run(struct stress *s, struct stress_test **list, size_t n, const struct pool_ops *ops);

/* Processes the tests that ops->take returns, until ops->goes_on returns false. */
void pool_run_shared(struct stress *s, const struct pool_ops *ops);

#endif
