/* Declarations shared by the files of minimization. */
#ifndef SIMUL_MINIMIZE_INTERNAL_H
#define SIMUL_MINIMIZE_INTERNAL_H

#include "replay/minimize.h"

/* A plan under construction. */
struct plan {
	struct guided_turn *turn;
	uint32_t n;
};

struct minimizing {
	minimize_run run;
	void *ctx;
	unsigned runs, max_runs;
	enum cost_order order;
	bool over;
	struct event *best; /* owned */
	uint32_t n;
	struct schedule_cost cost;
	bool better; /* than the given execution */
};

/* Plans (minimize_plan.c). */
void plan_free(struct plan *p);
void plan_append(struct plan *p, struct guided_turn t);
/* Appends a turn, or lengthens the last turn if it is of the same thread. */
void plan_add(struct plan *p, thread_id thread, unsigned alt, uint32_t until);
/* Makes thread or agent t rest from here on. */
void plan_rest(struct plan *p, thread_id t, uint32_t until);
/* Returns the plan of these events in the order `order` (NULL: unchanged). */
struct plan plan_of(const struct event *event, const uint32_t *order, uint32_t n);

/* Makes a copy of this execution the best one. */
void minimize_keep(struct minimizing *m, const struct event *event, uint32_t n, const struct schedule_cost *cost);
/* Runs a plan. If it fails in the same way and costs less, it becomes the best one. Returns false when no more runs are allowed. */
bool minimize_try(struct minimizing *m, const struct plan *p, struct minimize_outcome *out);

/* Tries schedules with fewer preemptions than the best one, fewest first; m->order must put preemptions first. `like` is the failing
   execution; schedules that keep its order are tried first. Returns whether all were tried. */
bool minimize_search(struct minimizing *m, const struct event *like, uint32_t n);

#endif
