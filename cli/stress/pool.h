/* Several tests side by side: at most --jobs processes, until the time is over or the user stops it. */
#ifndef SIMUL_STRESS_POOL_H
#define SIMUL_STRESS_POOL_H

#include "cli/stress/process.h"
#include "cli/stress/stress.h"

struct pool_ops {
	const char *doing; /* for the progress line: "searching" */
	/* What to start for t now, when `after` others wait; false: nothing more. Called again after each `ended`. The plan is used at once;
	   plan->processors is t's part of them. */
	bool (*next)(struct stress *s, struct stress_test *t, size_t after, struct process_plan *plan);
	void (*ended)(struct stress *s, struct stress_test *t, const struct process *p);
};

/* Works through the list in its order. */
void pool_run(struct stress *s, struct stress_test **list, size_t n, const struct pool_ops *ops);

#endif
