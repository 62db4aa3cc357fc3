/* `simul run`: declarations shared by its files. */
#ifndef SIMUL_RUN_H
#define SIMUL_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/bugs/findings.h"
#include "cli/verdict/coverage.h"
#include "cli/verdict/lock_advice.h"
#include "cli/collect/race_text.h"
#include "cli/verdict/circle_text.h"
#include "cli/supervise/search.h"
#include "recorder/recording.h"

enum run_verdict_kind { VERDICT_COMPLETE, VERDICT_BOUNDED, VERDICT_INCOMPLETE, VERDICT_BUG };

struct run {
	struct search search;
	struct resume *resume;        /* --resume; NULL: not given */
	struct machines *machines;    /* --search; NULL: not given */
	struct explore_stats stats;
	struct findings findings;
	double seconds;
	FILE *human;                  /* destination of the report: stdout, or stderr with --json - */
	enum run_verdict_kind verdict;
	bool unusable;                /* nothing could be explored: exit 2 */
	bool no_threads;              /* the reason for `unusable`: the program ended normally without creating a thread */
	bool internal;                /* an internal error of simul: exit 70 */
	uint32_t uncontrolled, native_children;
	const char *limited;          /* the search has ended, but limits left out what this says (sched/rounds.h, sched/endless.h); NULL: nothing */
	char kernel_threads_for[SESSION_MESSAGE]; /* a call because of which the program needs kernel threads; "": none */
	struct lock_advice lock_advice;
	struct coverage coverage;
	struct race_notes races;
	struct circle_note circle;
	const char *weakness;         /* part of `reason`: why the explored executions prove less; NULL: nothing weakens them */
	char reason[1536];            /* why the search is not complete; "" when it is */
};

/* Returns whether the path of --json or --sarif means standard output. */
bool run_is_stdout(const char *path);
/* Checks the options against each other, and that the files that they name can be written. Call it when the strategy is chosen. Moves the patterns of --lock and
   --leave-out to those of --patch. false: one message was printed. */
bool run_check_options(struct run_options *o);

#endif
