/*
 * The memory of a search in a state file: the segment of each worker, and the memory they share. An unshared search has one worker.
 */
#ifndef SIMUL_RESUME_MEMORY_H
#define SIMUL_RESUME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/resume/state_file.h"

struct search;

/* Returns whether the memory can be saved now. No process may be writing to it. false: a worker is being started, or is in the middle of an
   operation. */
bool resume_memory_can_put(const struct search *search);
/* Writes all of it to the file. */
void resume_memory_put(const struct search *search, struct state_writer *w);

/*
 * Loads the memory into search->seg, which is new, and search->workers: the saved workers, as supervise() expects them, as far as this many are
 * allowed now. The other saved workers' unexplored work is returned to the search. put_back: see segment_go_on. false: `why` completes
 * "--resume DIR: ...".
 */
bool resume_memory_load(struct search *search, struct state_reader *file, bool put_back, char *why, size_t size);

#endif
