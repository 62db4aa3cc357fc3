/* What the files of minimisation share. */
#ifndef SIMUL_MINIMIZE_INTERNAL_H
#define SIMUL_MINIMIZE_INTERNAL_H

#include "replay/minimize.h"

/* A plan that grows. */
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
	bool better; /* than what was given */
};

void plan_free(struct plan *p);
/* One turn more; one of the last thread lengthens its turn. */
void plan_add(struct plan *p, thread_id thread, unsigned alt, uint32_t until);
/* Thread or agent t is to rest from here on. */
void plan_rest(struct plan *p, thread_id t, uint32_t until);
/* The plan of these events, in the order of `order` (NULL: as they are). */
struct plan plan_of(const struct event *event, const uint32_t *order, uint32_t n);

/* Runs a plan; when it fails in the same way and costs less it is the best from now on. false: there are no more runs. */
bool minimize_try(struct minimizing *m, const struct plan *p, struct minimize_outcome *out);

/* Tries schedules with fewer preemptions than the best one, those with few first; m->order has preemptions first. `like`: the failing
   execution whose orders are tried first. Returns whether none is left. */
bool minimize_search(struct minimizing *m, const struct event *like, uint32_t n);

#endif
