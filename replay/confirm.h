/*
 * Schedules to follow again, and what comes of it: a bug counts as confirmed when following its
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
	struct thread_names names; /* the thread ids in `step` mean these spawn paths */
	struct session_pool pool;
	struct rec_memory memory;  /* owned; the ids of memory in `step` count in these pages */
};

/* The schedule of an execution whose events and thread names are at hand. `memory` is copied. */
void schedule_from_events(struct schedule *s, const struct event *events, uint32_t n,
	const struct thread_names *names, const struct session_pool *pool, const struct rec_memory *memory);

/* The ids that threads and drain agents of a recording have in a schedule made of it: threads in the order of its table, agents
   as they first occur. false: there are impossible ones; `why` (size bytes) tells which. */
bool schedule_names(struct thread_names *names, const struct recording *r, char *why, size_t size);

/* The schedule of a recording. false: it names an impossible thread or memory; `why` (size bytes) tells which. */
bool schedule_from_recording(struct schedule *s, const struct recording *r, char *why, size_t size);
void schedule_free(struct schedule *s);

/* Fills the tables of a new session (zeroed memory), so that memory has the same ids and threads wait in the same loops. false:
   they cannot be like that (a page twice). */
bool schedule_install_memory(const struct rec_memory *m, struct memory_table *memory, struct await_table *await);

enum confirm_kind {
	CONFIRM_SAME = 0,      /* the same failure */
	CONFIRM_OTHER_FAILURE, /* it failed in another way */
	CONFIRM_NO_FAILURE,    /* the schedule was followed to its end and nothing failed */
	CONFIRM_DIVERGED,      /* the program did something else than in the schedule */
	CONFIRM_NOT_RUN,       /* it could not be run; `text` says why */
	CONFIRM_INTERRUPTED,   /* the user did not want to wait, or the time was up (`text`) */
};

/* How a text of CONFIRM_NOT_RUN begins. */
#define CONFIRM_NOT_RUN_SAYS "it could not be run: "

/* What one run of a schedule came to. */
struct confirm_outcome {
	enum confirm_kind kind;
	struct session_bug bug;               /* CONFIRM_SAME, CONFIRM_OTHER_FAILURE */
	struct session_divergence divergence; /* CONFIRM_DIVERGED */
	char text[SESSION_MESSAGE];           /* CONFIRM_NOT_RUN; CONFIRM_INTERRUPTED: "" it was the user */
};

/* Sorts a finished run: fills out->kind from bug and divergence. A failure with the wanted signature counts
   whatever else was noted. */
void confirm_judge(struct confirm_outcome *out, uint64_t signature);

/* Runs the schedule once in a fresh process and fills *out, kind included; attempt counts from 0. */
typedef void (*confirm_run)(void *ctx, unsigned attempt, struct confirm_outcome *out);

struct confirm_result {
	unsigned tries, same;         /* `same` of `tries` gave the same failure */
	bool differed;                /* `other` is the first that did not */
	struct confirm_outcome other;
};

/* Runs the schedule `tries` times; stops early when it cannot be run or is interrupted. */
void confirm(confirm_run run, void *ctx, unsigned tries, struct confirm_result *out);

/* "the program did something else at step 17", in a few words. */
void confirm_describe(const struct confirm_outcome *o, char *buf, size_t size);

#endif
