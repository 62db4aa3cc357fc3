/*
 * Decides whether snapshots (snapshot.h) save time in this search, by trying.
 *
 * Snapshots can cost more than they save: each one is a process, nothing is saved if the next execution has another
 * beginning (as when a search alternates with samples), and executions are not rewound meanwhile. So when executions
 * take long, a few are measured without snapshots, then more with snapshots, because only some of these start late.
 *
 * The state is in the session (struct session_trial), which each worker has for itself. Nothing here reads a clock.
 */
#ifndef SIMUL_SNAPSHOT_TRIAL_H
#define SIMUL_SNAPSHOT_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session/rewind.h"

#define TRIAL_EXECUTIONS_WITHOUT 4 /* successive executions that take long */
#define TRIAL_EXECUTIONS_WITH 16

/* An execution that has ended. */
struct trial_execution {
	uint64_t ticks; /* duration, from when it was planned to its end */
	bool takes_long; /* snapshots may be worth it */
	bool rewinds;   /* it was not forked: processes are rewound */
	bool shared;    /* several workers share the search */
};

/* What changes for the next execution. */
enum trial_change {
	TRIAL_SAME,
	TRIAL_BEGINS, /* executions have snapshots from now on */
	TRIAL_GIVES_UP /* they have none any more, and are rewound again if trial->rewinds */
};

/* Returns whether snapshots save at least a tenth of the time. The arguments are sums of as many durations as above. */
bool trial_saves(uint64_t without, uint64_t with);

/* Adds an execution. `verdict`: what the trial finds, whatever the times are (for tests). */
enum trial_change trial_add(struct session_trial *t, const struct trial_execution *e, enum trial_verdict verdict);

/* Returns whether executions have snapshots now. */
static inline bool trial_allows(const struct session_trial *t)
{
	return t->phase == TRIAL_WITH || t->phase == TRIAL_KEPT;
}

/* Returns whether further executions are to be added. */
static inline bool trial_open(const struct session_trial *t)
{
	return t->phase == TRIAL_WITHOUT || t->phase == TRIAL_WITH;
}

#endif
