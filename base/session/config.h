/* What the user wants of a session. */
#ifndef SIMUL_SESSION_CONFIG_H
#define SIMUL_SESSION_CONFIG_H

#include <stdint.h>

#include "base/settings.h"

/* How executions are isolated from each other. AUTO: rewind where that is possible and pays off, otherwise fork. */
enum session_isolation { ISOLATION_FORK = 0, ISOLATION_EXEC, ISOLATION_REWIND, ISOLATION_AUTO };
/* Which tool controls a forced execution while it runs. Under a debugger there is no zygote, and threads are kernel threads. */
enum session_debug { DEBUGGED_BY_NOBODY = 0, DEBUGGED_BY_USER, DEBUGGED_BY_GDB };
enum session_mode {
	MODE_EXPLORE = 0, /* a strategy of explore/ chooses the steps */
	MODE_FORCED,      /* the schedule in the segment gives the steps (confirm, replay) */
	MODE_GUIDED,      /* a plan, stored in place of the schedule, gives the steps as far as it can be followed (minimize) */
};

/* The settings of the run. Written by the supervisor before the target starts, constant afterwards. */
struct session_config {
	struct settings settings; /* of each execution */
	uint32_t mode;        /* enum session_mode */
	uint32_t isolation;   /* enum session_isolation */
	uint32_t strategy;    /* enum explore_strategy */
	uint32_t shuffle;     /* see explore_config */
	uint32_t depth;       /* see explore_config */
	uint32_t keep_stacks; /* 1: record with each event its stack and the value it read or wrote (confirmation and replay) */
	uint32_t pause_at_end; /* 1: after the execution, keep the process alive until it is released */
	uint32_t describe_only; /* 1: fill session_sensors and stop before main */
	uint32_t jobs;        /* maximum number of workers that share this search */
	uint32_t worker;      /* index of this worker, from 0 */
	int32_t common_fd;    /* the target's descriptor of the memfd that workers share; -1: none */
	uint32_t bound;       /* explore_config.preemptions + 1; 0: none */
	uint32_t debug;       /* enum session_debug */
	uint32_t stop_at;     /* DEBUGGED_BY_USER: the execution waits in STATE_AT_STEP before this step, counted from 1 */
	uint32_t no_snapshots; /* 1: executions start only at the checkpoint (preload/life/snapshot.h, points.h) */
	uint32_t snapshot_every; /* for tests: take a snapshot every N events, whatever it costs; 0: when it pays off */
	uint32_t trial;       /* enum trial_verdict (rewind.h): for tests, a trial begins at once and finds this */
	uint32_t point_every; /* for tests: the same for points (preload/life/points.h) */
	uint32_t certify;     /* enum explore_certify */
	uint32_t budgeted;    /* see explore_config */
	uint32_t rounds;      /* 1: leave out rounds of waiting loops that change nothing (docs/rounds.md) */
	uint32_t sections;    /* 1: a critical section of a mutex is one step (sched/section.h) */
	uint32_t keep_passing; /* see explore_config */
	uint32_t machines;    /* 1: the shared memory is a copy of what several machines share (cli/nightly/machines/) */
	uint64_t max_executions; /* 0 = no limit */
	uint64_t race;        /* signature of the race of processes at which a forced or guided execution ends, or 0 */
	uint64_t hang_ns;     /* CPU time without a scheduling point after which an execution counts as hung */
};

#endif
