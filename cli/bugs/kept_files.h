/* --keep-files: what a failing execution left in the file system, copied before it is put back. */
#ifndef SIMUL_KEPT_FILES_H
#define SIMUL_KEPT_FILES_H

#include "cli/segment/segment.h"

/*
 * The execution of this segment is over, and what it changed is still there: copies each changed file, link and directory to
 * DIR/NAME/PATH, where NAME is the file name of `recording` without ".simul" and PATH its absolute path. What the execution removed is
 * not there. Copies of an earlier call are written over. Returns how many files were copied; what cannot be is said, once.
 */
unsigned kept_files_copy(const struct segment *seg, const char *dir, const char *recording);

/* Says how many files are where. */
void kept_files_tell(unsigned n, const char *dir, const char *recording);

#endif
