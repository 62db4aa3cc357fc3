/*
 * The kernel state that every execution shares with the zygote, put back before each one: how much was
 * written to the captured stdout and stderr, and the file offsets of regular files that were open at
 * the checkpoint.
 */
#ifndef SIMUL_FILES_H
#define SIMUL_FILES_H

void files_remember(void); /* at the checkpoint */
void files_restore(void);  /* before each execution */

#endif
