/* Internal to supervise(): declarations shared by supervisor.c and sharing.c. */
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
	uint32_t search;       /* which one: ctl.restarts */
};

static inline struct session_control *control(const struct worker *w)
{
	return &w->seg->session->ctl;
}

/* ---- supervisor.c ---- */

/* Ends the session. Always returns false, for callers that return whether it continues. */
bool loop_finish(struct loop *l, enum session_end end);
bool loop_start_target(struct loop *l, struct worker *w);
/* Lets a waiting target continue. */
void loop_release(struct worker *w);
void loop_request_stop(struct loop *l, enum stop_cause cause);
/* Returns the word that changes when a target has something to report. */
uint32_t *loop_doorbell(const struct loop *l);
/* Kills the target of w and all its processes. */
void loop_kill(struct loop *l, struct worker *w);

/* ---- sharing.c: from one worker to several, and back ---- */

/* Call it often: asks the first worker to pause when it is time to add more. */
void share_look(struct loop *l);
/* The only worker is paused: adds others if they are still wanted. It is released in any case, here or later. */
void share_begin(struct loop *l);
/* Call it before the first worker is started: a search that was shared in an earlier session continues with its workers, and with more if
   more are allowed. All start together. */
void share_continue(struct loop *l);
/* Returns whether some workers are still starting. */
bool share_some_fresh(const struct loop *l);
/* A worker other than the first waits at its checkpoint for the first time. Called repeatedly while it waits. */
void share_welcome(struct loop *l, struct worker *w);
/* Drops a fresh worker whose target has ended for good; the others take over the unexplored work that it had from an earlier session. */
void share_drop(struct loop *l, struct worker *w, const char *why);
/* The session is stopping: removes the workers that have not reached their checkpoint. */
void share_stop(struct loop *l);
/* w discovered new shared memory or spin loops: it continues alone, with a new search. */
void share_restart(struct loop *l, struct worker *w);
/* w is about to do something visible outside: the search restarts with one worker for the rest of the session. false: the session has
   ended. */
bool share_alone(struct loop *l, struct worker *w);

#endif
