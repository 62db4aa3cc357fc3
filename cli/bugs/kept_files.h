/* --keep-files: copies the files that a failing execution changed, before they are restored. */
#ifndef SIMUL_KEPT_FILES_H
#define SIMUL_KEPT_FILES_H

#include "cli/segment/segment.h"

/*
 * Call it when the execution of this segment has ended and its changes to files are still in place. Copies each changed file, link and
 * directory to DIR/NAME/PATH: NAME is the file name of `recording` without ".simul", PATH the absolute path of the file. Removed files are
 * not copied. Overwrites the copies of an earlier call. Returns the number of files copied; prints one message if some could not be copied.
 */
unsigned kept_files_copy(const struct segment *seg, const char *dir, const char *recording);

/* Prints how many files were copied, and where. */
void kept_files_tell(unsigned n, const char *dir, const char *recording);

#endif
