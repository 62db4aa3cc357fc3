/*
 * --resume DIR: a search that is kept in a directory, and goes on where it was.
 *
 * DIR holds one file with the state of one search, as it was between two executions of each of its workers. It is written after the first
 * execution, every few seconds, after each new bug and at the end; each time in whole. Whoever is killed when, the next run goes on from the
 * last state: executions since then are done again, and counted once, since the counters are part of the state.
 */
#ifndef SIMUL_RESUME_H
#define SIMUL_RESUME_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/run.h"

/* Takes the directory for this process, when --resume is given; run->resume is NULL when it is not. false: one message was
   printed. */
bool resume_open(struct run *run);
void resume_close(struct run *run);

/* Fills the new segment, the findings and run->config with what is in the directory, if there is anything. false: that cannot go on here; one
   message was printed. */
bool resume_load(struct run *run);

/* Was the search over when it was saved? Then there is nothing to run. */
bool resume_is_finished(const struct run *run);

/* Adds to run->sup what saves the search while it runs. */
void resume_watch(struct run *run);

/* After the search, which has been saved: files are put back. false: it did not go on at all, because memory lies elsewhere; one message was
   printed. */
bool resume_end(struct run *run);

/* What the runs before this one took. */
uint64_t resume_earlier_ns(const struct run *run);

#endif
