/*
 * An undo log of the program's changes to the file system. It is part of the session segment.
 *
 * An entry is written before each change and records the previous state of a path: absent, a file with this
 * content, a directory, a symbolic link, a FIFO, or the attributes of one of these. Undoing reads the log backwards and restores each state;
 * a rename is undone by the opposite rename. Entries therefore need not say what the program did.
 * Several entries for one path are harmless: the oldest one is undone last.
 *
 * The log is in memory that outlives the program. simul creates no files, so killing it leaves none behind.
 * All offsets are from the start of the log. The program can overwrite this memory: readers check all
 * offsets, and each entry has a checksum.
 *
 * The functions call libc (in the target they are legal only inside simul, where hooks pass through) and preserve errno.
 */
#ifndef SIMUL_JOURNAL_H
#define SIMUL_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#define JOURNAL_CONTENT (UINT64_C(16) << 20) /* limit on the bytes of file contents that are saved */
#define JOURNAL_SIZE (JOURNAL_CONTENT + (UINT64_C(2) << 20))

/* A position in the log: offset of the first free byte, offset of the newest entry (0: there is none), bytes of saved contents. */
struct journal_mark {
	uint64_t used, last, content;
};

/* Only the target writes it; while no target runs, only the supervisor. */
struct journal {
	struct journal_mark end;   /* the end of the log: where the next entry goes */
	struct journal_mark floor; /* the checkpoint: entries before this position are older */
	int32_t pid;               /* process that made these changes; 0: none yet */
	uint32_t lost;             /* changes that did not fit into the log */
	uint64_t inherited[4];     /* bit set of the descriptors that were open when the process began */
};

/* Called for each path that cannot be restored, with the reason. */
typedef void (*journal_complain)(void *ctx, const char *path, const char *why);

/* Makes an empty log of JOURNAL_SIZE bytes at j, 8-byte aligned. */
void journal_clear(struct journal *j);

/* Announces a change of the path (absolute; a final symbolic link is not followed). Saves its state unless it is saved already. */
void journal_save(struct journal *j, const char *path);
/* Announces a change of only the owner, mode, times or extended attributes of the path. */
void journal_attributes(struct journal *j, const char *path);
/* Announces that `from` will be renamed to `to`, whose state was saved, or that the two will be exchanged. */
void journal_rename(struct journal *j, const char *from, const char *to, bool exchange);
/* Confirms that the announced rename has happened. */
void journal_renamed(struct journal *j);
/* Announces another hard link to a file: states saved under the old name do not cover the new one. */
void journal_link(struct journal *j, const char *path);
/* Drops the entries since `mark`: the announced changes did not happen. */
void journal_cancel(struct journal *j, struct journal_mark mark);

/* Marks the checkpoint: later entries belong to an execution. */
void journal_checkpoint(struct journal *j);

/* Restores everything that was changed since `mark`, newest first, and drops those entries. Returns their number.
   journal_whole() is the mark of the start of the log. */
unsigned journal_undo(struct journal *j, struct journal_mark mark, journal_complain complain, void *ctx);
struct journal_mark journal_whole(void);

/* Calls `visit` for each path in the log, newest entry first. A rename has two paths. A path may be reported more than once. */
typedef void (*journal_path)(void *ctx, const char *path);
void journal_paths(struct journal *j, journal_path visit, void *ctx);

/* Called in the state of the checkpoint. Restores the files to their state before the program started, and logs this, so that
   journal_undo(j, j->floor) brings back the state of the checkpoint. */
void journal_set_aside(struct journal *j, journal_complain complain, void *ctx);

#endif
