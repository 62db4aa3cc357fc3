/*
 * Programs that use GNU Pth, whose scheduler runs the ready thread of highest priority. With --pth-order any the
 * search chooses among all ready threads, which is a what-if. docs/cooperative.md describes what users see.
 */
#ifndef SIMUL_PTH_H
#define SIMUL_PTH_H

/* Looks for libpth when the program starts. If the program opens the library with dlopen, simul finds it later. */
void pth_find(void);

#endif
