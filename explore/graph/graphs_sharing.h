/* Several workers on one search over execution graphs: see graphs_sharing.c. For a search that has joined. */
#ifndef SIMUL_GRAPHS_SHARING_H
#define SIMUL_GRAPHS_SHARING_H

#include "explore/search.h"

/* Joins the search to the common part. owns_root: it is the first worker, and goes on with what it has. */
void graphs_join(struct search *s, bool owns_root);
/* Call it before each execution: does as the other workers do, and says what they must know. */
void graphs_follow(struct search *s);
/* Returns whether this worker has a graph to execute: the next one of its part, or of a part that it takes. If not, it
   waits for one (share.waiting), or the search is over. */
bool graphs_work(struct search *s);
/* The search begins again from its first execution, with this worker. */
void graphs_restart(struct search *s);
/* Retires this worker, between two executions: what it has left goes to the others. */
void graphs_hand_back(struct search *s);

#endif
