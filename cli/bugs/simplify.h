/* Simplifies the schedule of a bug: runs replay/minimize.h with executions of the program. */
#ifndef SIMUL_SIMPLIFY_H
#define SIMUL_SIMPLIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/bugs/rerun.h"
#include "recorder/recording.h"
#include "replay/cost.h"

struct simplify {
	/* how to run it, the failure to reproduce, and the current schedule; stacks, at_end and turn are ignored */
	struct rerun how;
	const struct event *event;   /* the failing execution of that schedule */
	uint32_t n;
	unsigned max_runs;
	uint64_t time_ns;            /* 0: no limit */
	uint64_t explain_ns;         /* for the experiments that explain the failure, in addition; 0: a share of time_ns */
	bool explain_only;           /* do not look for a simpler schedule */
	struct recording *recording; /* of that execution; never NULL. If no simpler schedule is found, the experiments
	                                that explain the failure are recorded here, except for kinds that it has */
	unsigned tries;              /* number of replays of the new schedule; all must give the same failure */
	const char *strategy;        /* the strategy and the execution that found the bug, for the new recording */
	uint64_t number;
	bool keep_best;              /* true: if the user stops the search, use the best schedule so far */
	/* called periodically with the number of executions so far and the cost of the best schedule; may be NULL */
	void (*progress)(void *ctx, unsigned runs, const struct schedule_cost *best);
	void *ctx;
	/* result */
	unsigned runs;
	bool least, least_choices;   /* see minimize_result */
	char text[256];              /* why a simpler schedule was rejected; "": none was */
};

/* Returns the recording of a simpler, confirmed schedule; NULL: none was found, or it did not replay reliably. */
struct recording *simplify_schedule(struct simplify *m);

#endif
