/*
 * The targets of one session, each with its own segment, captured output and watchdog, and their totals. There is one, or several that
 * share a search (explore/shared/common.h). The first uses the segment of the caller of supervise().
 */
#ifndef SIMUL_WORKERS_H
#define SIMUL_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/options/run_options.h"
#include "cli/target/capture.h"
#include "cli/segment/common_memory.h"
#include "cli/segment/segment.h"
#include "cli/supervise/watchdog.h"

struct worker {
	struct segment *seg;           /* the caller's, or own_seg */
	const struct capture *capture; /* the same */
	struct segment own_seg;
	struct capture own_capture;
	struct watchdog dog;
	pid_t pid;                     /* of its target; 0: not running */
	int status;                    /* of its last target that ended */
	unsigned strikes;              /* consecutive deaths without an execution between them */
	uint64_t started;              /* ctl.execution.executions_started when the current target was started */
	bool fresh;                    /* its target has not yet been compared with the first one */
	bool over;                     /* it has no executions left */
};

struct workers {
	/* limits: filled by the caller */
	unsigned jobs;                       /* at most; 0 and 1: a single worker, and the rest is unused */
	const struct common_memory *common;
	char *const *patterns;               /* of --patch */
	uint64_t memory;                     /* of each search */
	bool at_once;                        /* for tests: add workers immediately instead of when they pay off */
	/* current workers */
	struct worker *w[WORKERS_MOST];
	unsigned n;
	/* history */
	unsigned most;                       /* largest number of workers at the same time in the current search */
	bool given_up;                       /* no more workers will be added */
	char why[SESSION_MESSAGE + 64];      /* why there were fewer than `jobs`, completes "jobs: 1, not 4: "; "" no reason */
	struct explore_stats gone;           /* totals of former workers of the current search */
	struct explore_stats ended;          /* workers_stats at the time of workers_end */
	uint64_t *handled;                   /* signatures of bugs that were handed over */
	size_t n_handled;
};

/* Adds the first worker. supervise() calls this if the caller has not. */
void workers_begin(struct workers *ws, struct segment *seg, const struct capture *capture);
/* Adds a worker with an empty search and the warm-up results of the first one. NULL: `why` gives the reason. */
struct worker *workers_add(struct workers *ws, char *why, size_t size);
/* Like workers_add, but without the warm-up results: a saved search is put into its segment (segment_keep.h). */
struct worker *workers_add_empty(struct workers *ws, char *why, size_t size);
/* Removes w[k], k > 0, whose target must have ended. Its totals are kept (workers_stats). */
void workers_remove(struct workers *ws, unsigned k);
/* Like workers_remove, without its totals. */
void workers_drop(struct workers *ws, unsigned k);
/* Makes w[k] the first worker: its segment replaces the caller's. */
void workers_make_first(struct workers *ws, unsigned k);
/* Removes all workers and adds their totals to the first one, whose segment stays with the caller. */
void workers_end(struct workers *ws);

/* Adds up the counters of all workers; seg is the segment of the first. May be called at any time. */
void workers_stats(const struct workers *ws, const struct segment *seg, struct explore_stats *out);
/* Returns whether nothing is left to do: everything is explored, or the search cannot continue. */
bool workers_finished(const struct workers *ws, const struct segment *seg);

/* Whether any worker has handed over this bug; and marks it as handed over. */
bool workers_handled(const struct workers *ws, uint64_t signature);
void workers_handle(struct workers *ws, uint64_t signature);

#endif
