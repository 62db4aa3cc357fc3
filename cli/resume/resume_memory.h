/*
 * The memory of a search in a state file: the segment of each worker, and what they share. A search that nobody shares is one of one worker.
 */
#ifndef SIMUL_RESUME_MEMORY_H
#define SIMUL_RESUME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/run.h"
#include "cli/resume/state_file.h"

/* Can it be saved as it is now? Nobody writes to it. Not when a worker is being started, or stands in the middle of something. */
bool resume_memory_can_put(const struct run *run);
/* Puts all of it into the file. */
void resume_memory_put(const struct run *run, struct state_writer *w);

/*
 * Into run->seg, which is new, and run->workers: those who worked on the search are there as supervise() expects them, as far as there may be so
 * many now. Others have handed back what they had left to explore. put_back: see segment_go_on. false: `why` completes "--resume DIR: ...".
 */
bool resume_memory_load(struct run *run, struct state_reader *file, bool put_back, char *why, size_t size);

#endif
