/*
 * The targets of one session, each with a segment, captured output and a watchdog of its own, and what they add up to. There is one, or
 * several that share a search (explore/common.h). The first is the one whose segment the caller of supervise() has.
 */
#ifndef SIMUL_WORKERS_H
#define SIMUL_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/target/capture.h"
#include "cli/segment/common_memory.h"
#include "cli/segment/segment.h"
#include "cli/supervise/watchdog.h"

#define WORKERS_MOST 64

struct worker {
	struct segment *seg;           /* the caller's, or own_seg */
	const struct capture *capture; /* the same */
	struct segment own_seg;
	struct capture own_capture;
	struct watchdog dog;
	pid_t pid;                     /* of its target; 0 = none runs */
	int status;                    /* of its last target that ended */
	unsigned strikes;              /* deaths in a row without an execution between them */
	uint64_t started;              /* ctl.executions_started when the present target was started */
	bool fresh;                    /* its target has not been compared with that of the first one yet */
	bool over;                     /* it runs no more executions */
};

struct workers {
	/* what there may be: filled by the caller */
	unsigned jobs;                       /* at most; 0 and 1: there is one, and nothing of this matters */
	const struct common_memory *common;
	char *const *patterns;               /* of --patch */
	uint64_t memory;                     /* of each search */
	bool at_once;                        /* for tests: do not wait until it is worth while */
	/* what there is */
	struct worker *w[WORKERS_MOST];
	unsigned n;
	/* what there was */
	unsigned most;                       /* that worked on the present search at the same time */
	bool given_up;                       /* there will be no more than there are */
	char why[SESSION_MESSAGE + 64];      /* why there were less than `jobs`, completes "jobs: 1, not 4: "; "" no reason */
	struct explore_stats gone;           /* of those that worked on the present search and are gone */
	struct explore_stats ended;          /* workers_stats as they were in workers_end */
	uint64_t *handled;                   /* signatures of bugs that were handed over */
	size_t n_handled;
};

/* The first one. supervise() does that when nobody else has. */
void workers_begin(struct workers *ws, struct segment *seg, const struct capture *capture);
/* Adds one with a search that is empty, which knows what the first one has learnt. NULL: `why` says why not. */
struct worker *workers_add(struct workers *ws, char *why, size_t size);
/* The same without what the first has learnt: a search that was kept is put into its segment (segment_keep.h). */
struct worker *workers_add_empty(struct workers *ws, char *why, size_t size);
/* No target of w[k], k > 0, is alive: what it found stays (workers_stats), it goes. */
void workers_remove(struct workers *ws, unsigned k);
/* Makes w[k] the first one: its segment takes the place of the caller's. */
void workers_make_first(struct workers *ws, unsigned k);
/* All go, if there are any, and their numbers are those of the first: its segment stays with the caller. */
void workers_end(struct workers *ws);

/* The counters of the search, of all of them; seg is that of the first. May be called at any time. */
void workers_stats(const struct workers *ws, const struct segment *seg, struct explore_stats *out);
/* Is there nothing left to do: everything explored, or a reason why it cannot go on? */
bool workers_finished(const struct workers *ws, const struct segment *seg);
/* Executions that all of them started and that count. */
uint64_t workers_started(const struct workers *ws);

/* Was this bug handed over by one of them before? And: it has been. */
bool workers_handled(const struct workers *ws, uint64_t signature);
void workers_handle(struct workers *ws, uint64_t signature);

#endif
