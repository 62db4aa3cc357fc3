/* Internal to supervise(): the change from one worker to several, and back. */
#ifndef SIMUL_SHARING_H
#define SIMUL_SHARING_H

#include "cli/supervise/loop.h"

/* Call it often: asks the first worker to pause when it is time to add more. */
void share_look(struct loop *l);
/* The only worker is paused: adds others if they are still wanted. It is released in any case, here or later. false: the session has
   ended. */
bool share_begin(struct loop *l);
/* Call it before the first worker is started: a search that was shared in an earlier session continues with its workers, and with more if
   more are allowed. All start together. */
void share_continue(struct loop *l);
/* Returns whether some workers are still starting. */
bool share_some_fresh(const struct loop *l);
/* A worker other than the first waits at its checkpoint for the first time. Called repeatedly while it waits. */
void share_welcome(struct loop *l, struct worker *w);
/* Drops a fresh worker whose target has ended for good; the others take over the unexplored work that it had from an earlier session. */
void share_drop(struct loop *l, struct worker *w, const char *why);
/* The session is stopping, or all other workers have ended: removes the workers that have not reached their checkpoint. */
void share_stop(struct loop *l);
/* w discovered new shared memory or spin loops: it continues alone, with a new search. */
void share_restart(struct loop *l, struct worker *w);
/* w is about to do something visible outside: the search restarts with one worker for the rest of the session. false: the session has
   ended. */
bool share_alone(struct loop *l, struct worker *w);

#endif
