/* Follows a schedule in a fresh process; implements the execution side of replay/confirm.h. */
#ifndef SIMUL_RERUN_H
#define SIMUL_RERUN_H

#include <stdbool.h>
#include <sys/types.h>

#include "cli/target/capture.h"
#include "cli/segment/segment.h"
#include "cli/target/target.h"
#include "replay/confirm.h"

/* What to run and under which options. */
struct rerun {
	const struct target *target;
	const struct capture *input; /* provides the program's standard input */
	struct session_config config; /* settings, isolation and hang_ns */
	char *const *patterns;       /* --patch; NULL-terminated */
	const struct schedule *schedule;
	/* NULL: follow the schedule. Otherwise follow this plan (replay/guided.h), and use only names, pool and memory of the schedule */
	const struct guided_turn *turn;
	uint32_t turns;
	uint64_t signature;          /* of the expected failure */
	bool stacks;                 /* record a stack with every event */
	uint64_t until_ns;           /* wall_clock_ns() at which the run is stopped (CONFIRM_INTERRUPTED); 0: after a limit far above what
	                                any execution needs */
	uint32_t notes;              /* of the plan: number of events for which the movable threads are recorded */
	/* Called when the execution has ended and its process (pid) is still alive; pid is 0 if the process died early. May be NULL. */
	void (*at_end)(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
		const struct confirm_outcome *outcome);
	/* Called when config.debug is DEBUGGED_BY_USER and process pid waits before step config.stop_at. The process continues when this
	   returns. May be NULL. */
	void (*at_step)(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid);
	void *ctx;
};

struct search;

/* Returns what follows the schedule like an execution of this search. The caller adds what else it wants. */
struct rerun rerun_of_search(const struct search *search, const struct schedule *schedule);
/* Runs it once. Leaves no process behind. */
void rerun_once(const struct rerun *r, struct confirm_outcome *out);

/* For a caller that starts the process itself: makes a new segment for it. false: `why` gives the reason. */
bool rerun_segment(const struct rerun *r, struct segment *seg, char *why, size_t size);
/* Call it when that process has ended: restores the files it changed, and closes the segment. */
void rerun_discard(struct segment *seg);

#endif
