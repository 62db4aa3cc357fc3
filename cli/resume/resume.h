/*
 * --resume DIR: a search that is saved in a directory and continues from there.
 *
 * DIR holds one file with the state of one search, taken when each of its workers was between two executions. The file is written after
 * the first execution, every few seconds, after each new bug and at the end; each time as a whole. Processes may be killed at any time: the
 * next run continues from the last state. Executions since then are repeated and counted once, since the counters are part of the state.
 */
#ifndef SIMUL_RESUME_H
#define SIMUL_RESUME_H

#include <stdbool.h>
#include <stdint.h>

struct findings;
struct resume;
struct search;

/* Locks the directory for this process if --resume is given; otherwise *r is NULL. false: one message was printed. */
bool resume_open(struct resume **r, struct search *search, struct findings *findings);
/* NULL: does nothing. */
void resume_close(struct resume *r);

/* Returns whether the saved search, if there is one, was one of strategy auto that went on with windows. Then the
   session must be made for windows (lengthy_use_windows) before it is loaded. */
bool resume_uses_windows(const struct resume *r);

/* Loads the state in the directory, if any, into the new segment, the findings and search->config. false: the search cannot continue here; one
   message was printed. */
bool resume_load(struct resume *r);

/* Returns whether the saved search had finished, so that there is nothing to run. */
bool resume_is_finished(const struct resume *r);

/* Adds the callbacks that save the search to search->sup. */
void resume_watch(struct resume *r);

/* Call it after the search has been saved: restores files. false: the search did not continue, because memory addresses differ; one message
   was printed. */
bool resume_end(struct resume *r);

/* Returns the time that earlier runs took. */
uint64_t resume_earlier_ns(const struct resume *r);

#endif
