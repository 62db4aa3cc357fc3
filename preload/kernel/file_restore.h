/*
 * Every execution starts from the files as they were at the checkpoint.
 *
 * Changes by path are in the session's journal (base/journal.h, written by file_effects.h). Executions share files that were open at the
 * checkpoint with the zygote. For these, simul saves the offsets, the sizes of the captured stdout and stderr, and of
 * those that the program can write to or that have no name, the content, owner, mode and times. What did not change is
 * not touched, since that would change the time of the last status change, in replays too. After the last execution of
 * a search nothing is restored.
 */
#ifndef SIMUL_FILE_RESTORE_H
#define SIMUL_FILE_RESTORE_H

#include <stdbool.h>
#include <stdint.h>

/* Called at the start of the program. Returns true if this process follows another one of this session, so that changes of files by that
   process are not undone yet. */
bool files_new_process(void);
/* Restores all files to the state before the program started. */
void files_restart(void);

/* Call it at the checkpoint. Saves the state of open files. */
void files_remember(void);
/* Call it before each execution. Restores all files to the state of the checkpoint. printed: the last execution may have printed. */
void files_restore(bool printed);

/* The state of the open files in the middle of an execution that has changed no file. */
#define FILES_MARKED 256 /* only descriptors below this number are covered */
struct files_mark {
	int64_t at[FILES_MARKED]; /* file offsets; negative: none */
	int64_t printed[2];       /* bytes in the captured stdout and stderr */
};
/* Saves the state. Returns false if the program may have written to a file that is open. */
bool files_mark(struct files_mark *m);
/* Call it before an execution that continues from the marked point. Restores the state. */
void files_resume(const struct files_mark *m);

/* files_set_aside restores the state before the program started, because other processes are about to run the program. files_bring_back
   restores the state of the checkpoint afterwards. */
void files_set_aside(void);
void files_bring_back(void);

#endif
