/* Runs tests in parallel: at most --jobs processes, until the time is over or the user interrupts. */
#ifndef SIMUL_STRESS_POOL_H
#define SIMUL_STRESS_POOL_H

#include "cli/stress/process.h"
#include "cli/stress/stress.h"

struct pool_ops {
	const char *doing; /* for the progress line: "searching" */
	/* Plans the next process for t, while `after` others wait; false: nothing more to run. Called again after each `ended`. The plan is
	   used immediately; plan->processors is t's share of the processors. */
	bool (*next)(struct stress *s, struct stress_test *t, size_t after, struct process_plan *plan);
	void (*ended)(struct stress *s, struct stress_test *t, const struct process *p);
};

/* Processes the list in order. */
void pool_run(struct stress *s, struct stress_test **list, size_t n, const struct pool_ops *ops);

#endif
