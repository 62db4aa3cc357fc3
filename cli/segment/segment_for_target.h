/* The few changes that the supervisor makes to what targets write. Only while the target of the segment has not started, waits, or has ended. */
#ifndef SIMUL_SEGMENT_FOR_TARGET_H
#define SIMUL_SEGMENT_FOR_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/segment/segment.h"

/* Sets the counts of operations before the checkpoint, which each process that starts the program counts again. */
void segment_set_early_counts(struct segment *seg, uint32_t uncontrolled, uint32_t native_children);

/* Lets the search take into account what children of fork look at, or not. */
void segment_set_fork_sees(struct segment *seg, bool sees);

/* Makes the search one that several workers share. */
void segment_share(struct segment *seg);

/* Adds executions that do not count as explored, because the search restarts. */
void segment_add_warm_up(struct segment *seg, uint64_t executions);

/* Discards the execution in progress, with the target that ran it. Returns whether there was one. */
bool segment_drop_execution(struct segment *seg);

#endif
