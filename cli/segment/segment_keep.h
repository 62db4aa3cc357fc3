/* The bytes of the session segment that make up a search, for continuing it in another segment of the same layout. */
#ifndef SIMUL_SEGMENT_KEEP_H
#define SIMUL_SEGMENT_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/segment/segment.h"

/*
 * Bytes [off, off + size) of the segment. Start with *at = 0; false: no more ranges. Only bytes in use that were ever written are listed,
 * since the rest equals a new segment. No process may be writing to the segment.
 */
struct segment_range {
	uint64_t off, size;
};
bool segment_keep_next(const struct segment *seg, uint64_t *at, struct segment_range *out);
/* Like segment_keep_next, for the memory after the segment that workers share. Call it once for all workers, when no process writes there. */
bool segment_keep_common_next(const struct segment *seg, uint64_t *at, struct segment_range *out);

/* Returns the offset at which the program has written beyond the memory that the search uses, where nothing else writes; 0: nowhere. Only
   while no target runs. */
uint64_t segment_written(const struct segment *seg);

/* Returns whether the search can continue from this state. It cannot while an execution is being accounted for. One worker's part of a
   shared search can only between two executions. */
bool segment_can_keep(const struct segment *seg);

/* Writes such bytes into a new segment, or the shared memory after it. false: a search has no bytes there. */
bool segment_put(struct segment *seg, uint64_t off, const void *data, uint64_t size);

/*
 * Call it after the last range: prepares the segment for supervise(). It gets the configuration `config`, except that the program's start
 * time is the saved one. put_back: restore the files that the program had changed when the bytes were saved. false: the bytes are not a
 * search.
 */
bool segment_go_on(struct segment *seg, const struct session_config *config, bool put_back);
/* Sets how many more executions may run, 0: no limit, after the `done` ones of the whole search. Warm-up executions do not count. */
void segment_limit(struct segment *seg, uint64_t executions, uint64_t done);

/*
 * For several workers of one search: copies the warm-up results and the known bugs from `from`, whose target waits between two executions,
 * to a new segment. The search itself is not copied.
 */
void segment_copy_known(struct segment *to, const struct segment *from);
/* No target of `from` may be alive. Moves its counts of bugs and races and its other counters from `from` to `to`. */
void segment_move_found(struct segment *to, struct segment *from);
/* Like segment_move_found, for a segment that is no longer needed. Also moves everything else that weakens the verdict. */
void segment_absorb(struct segment *to, struct segment *from);

/* No target may be running. Restores the files that the program changed. */
void segment_put_files_back(struct segment *seg);
/* Discards the record of the program's changes to files. */
void segment_leave_files(struct segment *seg);

#endif
