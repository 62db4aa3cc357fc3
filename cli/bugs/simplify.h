/* A simpler schedule for a bug: replay/minimize.h with executions of the program itself. */
#ifndef SIMUL_SIMPLIFY_H
#define SIMUL_SIMPLIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/bugs/rerun.h"
#include "recorder/recording.h"
#include "replay/cost.h"

struct simplify {
	/* how it is run, which failure is looked for, and the schedule as it is; stacks, at_end, turn are not looked at */
	struct rerun how;
	const struct event *event;   /* the failing execution of that schedule */
	uint32_t n;
	unsigned max_runs;
	uint64_t time_ns;            /* 0: no limit */
	/* never NULL */
	struct recording *recording; /* of that execution: what is tried to explain the failure is noted in it when there is nothing simpler
	                                and nothing is noted yet */
	unsigned tries;              /* how often the new schedule has to give the same failure, all of them */
	const char *strategy;        /* that found the bug, in which execution: for the new recording */
	uint64_t number;
	bool keep_best;              /* when the user stops the search, the best schedule so far is taken */
	/* called now and then, with the executions so far and what the best one costs; may be NULL */
	void (*progress)(void *ctx, unsigned runs, const struct schedule_cost *best);
	void *ctx;
	/* what came of it */
	unsigned runs;
	bool least;                  /* see minimize_result */
	char text[256];              /* why a better schedule was not taken; "" */
};

/* The recording of a simpler schedule, confirmed; NULL: there is none, or it was not reliable. */
struct recording *simplify_schedule(struct simplify *m);

#endif
