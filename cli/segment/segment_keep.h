/* Which bytes of the session segment make up a search, so that it can go on in another segment of the same layout. */
#ifndef SIMUL_SEGMENT_KEEP_H
#define SIMUL_SEGMENT_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/segment/segment.h"

/*
 * Bytes [off, off + size) of the segment. The first call starts with *at = 0; false when there are no more. Only what is in use
 * and was ever written is told: the rest of a new segment is like that by itself. Call it when nothing writes there.
 */
struct segment_range {
	uint64_t off, size;
};
bool segment_keep_next(const struct segment *seg, uint64_t *at, struct segment_range *out);
/* The same of what it shares with other workers, which lies behind it: once for all of them, when nothing writes there. */
bool segment_keep_common_next(const struct segment *seg, uint64_t *at, struct segment_range *out);

/* Can the search go on from here? Not when an execution was being accounted for; a part of a shared one only between two executions. */
bool segment_can_keep(const struct segment *seg);

/* Puts such bytes into a new segment, or behind it. false: a search has none there. */
bool segment_put(struct segment *seg, uint64_t off, const void *data, uint64_t size);

/*
 * After the last of them: makes the segment one that supervise() can start with. The configuration is that of `config`, but the
 * time at which the program believes to run is the old one. put_back: files that the program had changed when the bytes were taken
 * are put back as they were before it started. false: what was put there is not a search.
 */
bool segment_go_on(struct segment *seg, const struct session_config *config, bool put_back);
/* And how many executions more there are to be, 0 = no limit, after the `done` ones of the whole search. Those that are made to learn do not
   count. */
void segment_limit(struct segment *seg, uint64_t executions, uint64_t done);

/*
 * For several workers of one search. Of `from`, whose target waits between two executions, to a new segment: what was learnt about the program,
 * and which bugs are known. The search is not copied.
 */
void segment_copy_known(struct segment *to, const struct segment *from);
/* No target of `from` is alive: which bugs and races it saw how often, and what else is counted, is in `to` afterwards, and not in `from`. */
void segment_move_found(struct segment *to, struct segment *from);
/* The same, for one that is not needed any more: and all else that weakens the verdict. */
void segment_absorb(struct segment *to, struct segment *from);

/* No target runs: puts back what the program changed in the file system. */
void segment_put_files_back(struct segment *seg);
/* Forgets what it changed. */
void segment_leave_files(struct segment *seg);

#endif
