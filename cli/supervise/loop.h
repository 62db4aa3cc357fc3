/* Internal to supervise(): one run of its loop, and what its other files need to start, stop and watch targets. */
#ifndef SIMUL_LOOP_H
#define SIMUL_LOOP_H

#include "cli/base/child_processes.h"
#include "cli/supervise/supervisor.h"
#include "cli/supervise/workers.h"

/* One run of the loop; lives in supervise(). */
struct loop {
	struct supervision *s;
	struct workers *ws;
	struct child_processes children;
	uint64_t stop_ns;      /* when stop_request was set; 0: not */
	bool failed;           /* one of several workers cannot continue: out of memory, or diverged */
	bool stopped;          /* one worker was stopped */
	bool wants_share;      /* the first worker was asked to pause, so that others can be added */
	bool gathering;        /* paused workers wait until all have paused, including those still starting */
	struct worker *explains; /* the worker whose target handed over a bug and is looking for an explanation; NULL: none */
	uint64_t search_ns;    /* when the current search started or resumed; 0: not yet */
	uint32_t search;       /* which one: ctl.warm_up.restarts */
};

static inline struct session_control *control(const struct worker *w)
{
	return &w->seg->session->ctl;
}

/* Returns whether the target waits between two executions. */
static inline bool loop_is_paused(const struct worker *w)
{
	return shared_load(&control(w)->handshake.state) == STATE_PAUSED;
}

static inline uint64_t loop_executions_started(const struct worker *w)
{
	return __atomic_load_n(&control(w)->execution.executions_started, __ATOMIC_ACQUIRE);
}

/* Ends the session. Always returns false, for callers that return whether it continues. */
bool loop_finish(struct loop *l, enum session_end end);
/* Does what the owner of a search of several machines says. false: the session has ended. */
bool loop_obey(struct loop *l, enum machines_says says);
/* Starts the target of w. false: the session has ended. */
bool loop_start_target(struct loop *l, struct worker *w);
/* Reaps the target if it has ended. If it is executing another program, places that program's memory. Returns whether it has ended. */
bool loop_target_ended(struct worker *w);
/* Waits for the targets to exit, at most this long. supervise() kills those that remain. */
void loop_await_targets(struct loop *l, uint64_t ns);
/* Writes the pids of the running targets to `out` (WORKERS_MOST entries); returns their number. */
size_t loop_list_targets(const struct loop *l, pid_t *out);
/* Ends the processes that an ended target left: one that still runs an execution writes to the segment. */
void loop_end_orphans(struct loop *l);
/* Frees the memory of old output of all targets. */
void loop_bound_output(struct loop *l);
/* Lets a waiting target continue. */
void loop_release(struct worker *w);
/* Requests all targets to stop. Only the first request counts. */
void loop_request_stop(struct loop *l, enum stop_cause cause);
/* Returns the word that changes when a target has something to report. */
uint32_t *loop_doorbell(const struct loop *l);

#endif
