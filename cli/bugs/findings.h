/* Bugs as they are found: confirmed, simplified, recorded and reported. */
#ifndef SIMUL_FINDINGS_H
#define SIMUL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "cli/bugs/finding.h"
#include "cli/bugs/race_judge.h"

struct candidate;
struct search;
struct segment;
struct session_config;

/* The bugs of a search. */
struct findings {
	struct search *search;
	FILE *out;                    /* destination of the report on each */
	struct finding *list;
	size_t n;
	struct candidate *pending;    /* a bug that is recorded but not yet reported */
	struct candidate *postponed;  /* failures that did not happen again, from executions after which the search restarted */
	struct race_judge judge;
	unsigned unrecorded;          /* failures for which the program left no readable data */
	uint64_t minimize_ns;         /* time spent on simplifying schedules */
	bool late;                    /* a note said that replays go on after --time */
};

/* Has replays and recordings made, by `config`, as the search in `seg` is now, if it explores calls as code that were one step before. */
void findings_follow_refusals(struct session_config *config, const struct segment *seg);

/* Implements supervision.on_bug: the target waits with a new bug; ctx is the struct findings. */
bool findings_on_bug(void *ctx, pid_t pid);
/* Implements supervision.on_explained: simplifies that bug and reports it. */
bool findings_on_explained(void *ctx);
/* Implements supervision.on_race. */
bool findings_on_race(void *ctx, const struct segment *seg, pid_t pid);
/* Call it after the search: reports as unconfirmed each failure that was seen during warm-up and never again, unless the search explored
   everything. */
void findings_report_postponed(struct findings *findings);
/* Restores a bug found in an earlier run: rewrites its recording if it is gone. Takes ownership of what *f points to. */
void findings_restore(struct findings *findings, const struct finding *f);
/* Returns the number of confirmed bugs. */
size_t findings_confirmed(const struct findings *findings);
void findings_free(struct findings *findings);

#endif
