/* Following a schedule in a fresh process: the native end of replay/confirm.h. */
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
	const struct capture *input; /* whose standard input the program gets */
	struct session_config config; /* threads, spurious, patience, late_exit, max_steps, start_time, seed, hang_ns, isolation, patch,
	                                fail_on_race, memory_check, model, robustness */
	char *const *patterns;       /* --patch; NULL-terminated */
	const struct schedule *schedule;
	/* NULL: the schedule is followed; else this plan is (replay/guided.h), and only names, pool and memory of the schedule count */
	const struct guided_turn *turn;
	uint32_t turns;
	uint64_t signature;          /* of the failure that is expected */
	bool stacks;                 /* record a stack with every event */
	uint64_t until_ns;           /* wall_clock_ns() at which it is broken off (CONFIRM_INTERRUPTED); 0: after far more time than any
	                                execution needs */
	uint32_t notes;              /* of the plan: events of which it is noted who could have moved */
	/* Called when the execution is over and its process (pid) still alive, or pid 0 when it died on the way.
	   May be NULL. */
	void (*at_end)(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid,
		const struct confirm_outcome *outcome);
	/* config.debug is DEBUGGED_BY_USER and the execution waits before config.stop_at, in process pid. It goes on
	   when this returns. May be NULL. */
	void (*at_step)(void *ctx, const struct segment *seg, const struct capture *output, pid_t pid);
	void *ctx;
};

/* Runs it once. Leaves no process behind. */
void rerun_once(const struct rerun *r, struct confirm_outcome *out);

/* For somebody else who starts the process: a new segment to run it in. false: `why`. */
bool rerun_segment(const struct rerun *r, struct segment *seg, char *why, size_t size);
/* When that process is gone: puts back the files that it changed, and closes the segment. */
void rerun_discard(struct segment *seg);

#endif
