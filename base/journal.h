/*
 * What the program changes in the file system, so that it can be put back: a log in the session segment.
 *
 * An entry is written before each effect and says what state a path was in: nothing there, a file with this
 * content, a directory, a symbolic link, a pipe, the attributes of one of these. Undoing goes backwards and gives each path that state again;
 * a rename is undone by the opposite rename. So entries need not tell what the program did, only what
 * was before, and two entries for one path do no harm: the older one is undone last.
 *
 * The log lies in memory that outlives the program, and nothing else is kept: no file of ours ever
 * exists, whoever is killed. All offsets are from the start of the log; readers check them, and
 * each entry carries a checksum, since the program can overwrite the memory.
 *
 * Functions call libc (in the target: legal only inside simul, where hooks pass through) and keep errno.
 */
#ifndef SIMUL_JOURNAL_H
#define SIMUL_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#define JOURNAL_CONTENT (UINT64_C(16) << 20) /* bytes of file contents that are kept at most */
#define JOURNAL_SIZE (JOURNAL_CONTENT + (UINT64_C(2) << 20))

/* A position in the log: everything written after it is undone when one goes back to it. */
struct journal_mark {
	uint64_t used, last, content;
};

/* Written by the target; by the supervisor when no target runs. */
struct journal {
	struct journal_mark end;   /* first free byte; newest entry, 0 = none; bytes of contents */
	struct journal_mark floor; /* older entries belong to the time before the checkpoint */
	int32_t pid;               /* process whose effects these are; 0 = none yet */
	uint32_t lost;             /* effects that found no room */
	uint64_t inherited[4];     /* descriptors, a bit each, that were open when the process began */
};

/* Told about each path that cannot be put back, and why. */
typedef void (*journal_complain)(void *ctx, const char *path, const char *why);

/* Makes an empty log of JOURNAL_SIZE bytes at j, 8-byte aligned. */
void journal_clear(struct journal *j);

/* The path (absolute, a final symbolic link is not followed) is about to change. */
void journal_save(struct journal *j, const char *path);
/* Only its owner, mode, times or extended attributes are about to change. */
void journal_attributes(struct journal *j, const char *path);
/* `from` is about to become `to`, whose state was saved; or the two are about to be exchanged. */
void journal_rename(struct journal *j, const char *from, const char *to, bool exchange);
/* That has happened now. */
void journal_renamed(struct journal *j);
/* Another name is about to be made for a file: what was saved under the old one does not cover it. */
void journal_link(struct journal *j, const char *path);
/* The effects announced since `mark` did not happen. */
void journal_cancel(struct journal *j, struct journal_mark mark);

/* From now on effects are those of an execution. */
void journal_checkpoint(struct journal *j);

/* Puts everything back that was changed since `mark`, newest first, and forgets it. Returns the number of entries.
   journal_whole() is the beginning. */
unsigned journal_undo(struct journal *j, struct journal_mark mark, journal_complain complain, void *ctx);
struct journal_mark journal_whole(void);

/* Calls `tell` for each path that stands in the log and its newer name, where it was renamed, newest first; a path may come more than
   once. */
typedef void (*journal_path)(void *ctx, const char *path);
void journal_paths(struct journal *j, journal_path tell, void *ctx);

/* At the checkpoint's state: puts the files back as they were before the program started, in such a way
   that journal_undo(j, j->floor) brings the state of the checkpoint back. */
void journal_set_aside(struct journal *j, journal_complain complain, void *ctx);

#endif
