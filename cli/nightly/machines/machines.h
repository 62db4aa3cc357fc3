/*
 * `simul run --search`: one search that several machines share, through a PostgreSQL database (search.sql).
 *
 * Each machine has one worker (explore/shared/common.h) and a copy of the common part. A worker that wants to change the common part waits until
 * its supervisor has locked the search in the database and has got what the others changed. From then until the end of its execution it
 * may change the copy. Then it pauses, and the supervisor stores the common part and the worker's own part in the transaction that holds
 * the lock. So the database always has the state of a search whose workers stand between two executions, and the counts are those of
 * several workers on one machine.
 *
 * Whatever goes wrong has one answer: the machine forgets its own state, and loads the stored one (MACHINES_AGAIN). What it had executed
 * since its last commit is executed again and was counted nowhere.
 *
 * The first machine explores alone until the search is worth sharing. If a worker finds that threads share more memory than was known, the
 * search begins again, on that machine alone (a new generation).
 */
#ifndef SIMUL_MACHINES_H
#define SIMUL_MACHINES_H

#include <stdbool.h>

struct explore_stats;
struct findings;
struct machines;
struct search;

/* Connects to search->opt.search; sets *m, to NULL if the option is not given. Call it when the program and its input are open. false: one
   message was printed. */
bool machines_open(struct machines **m, struct search *search, struct findings *findings);
/* NULL: does nothing. */
void machines_close(struct machines *m);

/* MACHINES_RETRY: another machine prepares the search, or changed it meanwhile. MACHINES_FAILED: one message was printed. */
enum machines_entry { MACHINES_ENTERED, MACHINES_RETRY, MACHINES_FAILED };

/* Joins the search, or begins it. Loads the stored state into the segment. Call it with a new segment each time. */
enum machines_entry machines_enter(struct machines *m);
/* Returns the id of the search in the database. Valid after MACHINES_ENTERED. */
const char *machines_search(const struct machines *m);
/* Returns whether everything had been explored before, or a bug had ended the search, so that there is nothing to run. */
bool machines_is_over(const struct machines *m);

/* Adds the executions of other machines, as they were last stored, to those of this one. For progress. */
void machines_add_others(const struct machines *m, struct explore_stats *stats);

/* Adds the callbacks to m->search->sup. */
void machines_watch(struct machines *m);

#endif
