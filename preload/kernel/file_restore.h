/*
 * Every execution starts from the files as they were at the checkpoint.
 *
 * What the program changes by path stands in the journal of the session (base/journal.h, written by
 * file_effects.h). Files that were open at the checkpoint are shared with the zygote: their offsets, their
 * content if they could be written to, and how much was written to the captured stdout and stderr are
 * remembered here. What the last execution left stays.
 */
#ifndef SIMUL_FILE_RESTORE_H
#define SIMUL_FILE_RESTORE_H

#include <stdbool.h>
#include <stdint.h>

/* At the start of the program. true: a new process, after one that left files behind in the middle or at the
   end of an execution; they are still there. */
bool files_new_process(void);
/* Puts everything back, as before the program started. */
void files_restart(void);

/* At the checkpoint. */
void files_remember(void);
/* Before each execution: as at the checkpoint. */
void files_restore(void);

/* In the middle of an execution that has changed no file: how far files were read, and how much was printed. */
#define FILES_MARKED 256 /* descriptors below this */
struct files_mark {
	int64_t at[FILES_MARKED]; /* where each is read or written next, negative: nowhere */
	int64_t printed[2];       /* bytes in the captured stdout and stderr */
};
/* false: the program may have written to a file that is open. */
bool files_mark(struct files_mark *m);
/* Before an execution that goes on there. */
void files_resume(const struct files_mark *m);

/* While others run the program in processes of their own: as before the program started. And back. */
void files_set_aside(void);
void files_bring_back(void);

#endif
