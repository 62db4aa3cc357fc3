/*
 * Schedules to be followed again, and the results. A bug is confirmed when following its
 * schedule in a fresh process gives the same failure.
 */
#ifndef SIMUL_CONFIRM_H
#define SIMUL_CONFIRM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/session.h"
#include "recorder/recording.h"
#include "sched/event.h"
#include "sched/ids.h"

/* Everything a fresh process needs to repeat one execution. */
struct schedule {
	struct forced_step *step; /* owned */
	uint32_t n;
	struct thread_names names; /* the thread ids in `step` refer to these spawn paths */
	struct session_pool pool;
	struct rec_memory memory;  /* owned; the memory ids in `step` refer to these pages */
};

/* Makes the schedule of an execution from its events and thread names. `memory` is copied. */
void schedule_from_events(struct schedule *s, const struct event *events, uint32_t n,
	const struct thread_names *names, const struct session_pool *pool, const struct rec_memory *memory);

/* Assigns ids to the threads and drain agents of a recording, as a schedule made of it uses them: threads in the order of the recording's
   table, agents in the order of their first step. On failure returns false and writes the reason to `why` (size bytes). */
bool schedule_names(struct thread_names *names, const struct recording *r, char *why, size_t size);

/* Makes the schedule of a recording. Returns false when it names an impossible thread or memory; `why` (size bytes) gets the reason. */
bool schedule_from_recording(struct schedule *s, const struct recording *r, char *why, size_t size);
void schedule_free(struct schedule *s);

/* Fills the tables of a new session (zeroed memory) so that memory has the recorded ids and threads wait in the recorded loops. Returns
   false when that is impossible (a page occurs twice). */
bool schedule_install_memory(const struct rec_memory *m, struct memory_table *memory, struct await_table *await);

enum confirm_kind {
	CONFIRM_SAME = 0,      /* the same failure */
	CONFIRM_OTHER_FAILURE, /* it failed in another way */
	CONFIRM_NO_FAILURE,    /* the schedule was followed to its end without a failure */
	CONFIRM_DIVERGED,      /* the program did an operation that differs from the schedule */
	CONFIRM_NOT_RUN,       /* it could not be run; `text` says why */
	CONFIRM_INTERRUPTED,   /* the user interrupted it, or the time was up (`text`) */
};

/* The beginning of the description of CONFIRM_NOT_RUN. */
#define CONFIRM_NOT_RUN_SAYS "it could not be run: "

/* The result of one run of a schedule. */
struct confirm_outcome {
	enum confirm_kind kind;
	struct session_bug bug;               /* CONFIRM_SAME, CONFIRM_OTHER_FAILURE */
	struct session_divergence divergence; /* CONFIRM_DIVERGED */
	char text[SESSION_MESSAGE];           /* CONFIRM_NOT_RUN: why; CONFIRM_INTERRUPTED: "" if it was the user */
};

/* Sets out->kind from bug and divergence after a run. A failure with the wanted signature is CONFIRM_SAME
   even if there was a divergence. */
void confirm_judge(struct confirm_outcome *out, uint64_t signature);

/* Runs the schedule once in a fresh process and fills *out, including its kind. `attempt` counts from 0. */
typedef void (*confirm_run)(void *ctx, unsigned attempt, struct confirm_outcome *out);

struct confirm_result {
	unsigned tries, same;         /* `same` of `tries` gave the same failure */
	bool differed;                /* `other` is the first result that is not the same */
	struct confirm_outcome other;
};

/* Runs the schedule `tries` times. Stops early when it cannot be run or is interrupted. */
void confirm(confirm_run run, void *ctx, unsigned tries, struct confirm_result *out);

/* Describes the result in a few words: "the program did something else at step 17 of the same schedule". */
void confirm_describe(const struct confirm_outcome *o, char *buf, size_t size);

#endif
