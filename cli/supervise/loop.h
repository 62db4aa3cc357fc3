/* Inside supervise(): what supervisor.c and sharing.c have in common. */
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
	uint64_t stop_ns;      /* when stop_request was set; 0 = not */
	bool failed;           /* a worker of several cannot go on: out of memory, or diverged */
	bool stopped;          /* one of them was stopped */
	bool wants_share;      /* the first was asked to pause, so that others can be added */
	bool gathering;        /* workers that are paused wait until all have come, those that are still being started too */
	struct worker *explains; /* its target handed over a bug and looks for what explains it; NULL: none does */
	uint64_t search_ns;    /* since when the present search goes on; 0: not yet */
	uint32_t search;       /* which one: ctl.restarts */
};

static inline struct session_control *control(const struct worker *w)
{
	return &w->seg->session->ctl;
}

/* ---- supervisor.c ---- */

/* Ends the session; returns false, for those who say whether it goes on. */
bool loop_finish(struct loop *l, enum session_end end);
bool loop_start_target(struct loop *l, struct worker *w);
/* Lets a waiting target go on. */
void loop_release(struct worker *w);
void loop_request_stop(struct loop *l, enum stop_cause cause);
/* The word that changes when a target has something to say. */
uint32_t *loop_doorbell(const struct loop *l);
/* Kills the target of w and all its processes. */
void loop_kill(struct loop *l, struct worker *w);

/* ---- sharing.c: from one worker to several, and back ---- */

/* Is it time for more? Then the first is asked to pause. Called often. */
void share_look(struct loop *l);
/* The first, alone, is paused: adds others if that is still what is wanted. It is released in any case, by this or later. */
void share_begin(struct loop *l);
/* Before the first is started: a search that was shared in an earlier session goes on with those who worked on it, and with more if there may be
   more. All of them begin together. */
void share_continue(struct loop *l);
/* Are some still being started? */
bool share_some_fresh(const struct loop *l);
/* A worker that is not the first waits at its checkpoint for the first time. Called again while it does. */
void share_welcome(struct loop *l, struct worker *w);
/* A worker that is fresh is gone for good; what it had to explore in an earlier session is for the others. */
void share_drop(struct loop *l, struct worker *w, const char *why);
/* The session is being stopped: those who have not come to their checkpoint go. */
void share_stop(struct loop *l);
/* w has learnt something: it goes on alone, with a new search. */
void share_restart(struct loop *l, struct worker *w);
/* w is about to do what others would see: the search begins again with one worker, for good. false when the session is over. */
bool share_alone(struct loop *l, struct worker *w);

#endif
