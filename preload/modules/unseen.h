/*
 * The libraries of which no access is seen: is code of theirs really executed while other threads could observe it?
 *
 * From unseen_close on their code cannot be executed; the first try is a fault, and from then on it can. State is private memory, and page
 * protections: unseen_again before that memory is put back.
 */
#ifndef SIMUL_UNSEEN_H
#define SIMUL_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

/* Watches the code [lo, hi) of a library that was just loaded; `module` is its number in the session. Returns false when there is no room
   for another library: then nothing shows whether its code is executed. */
bool unseen_add(uint32_t module, uint64_t lo, uint64_t hi);
/* Executions begin, or go on in another process: code of those that were not executed yet cannot be executed from here on. */
void unseen_close(void);
/* A fetch of an instruction from `addr` was refused. true: it was one of these libraries, and can go on. *module: its number, when that is news: with `alone`
   (no other thread lives) it is none, until unseen_again; else UINT32_MAX. */
bool unseen_fault(uint64_t addr, bool alone, uint32_t *module);
/* Another thread will live, or the memory of this execution be put back: what was executed alone may count next time. */
void unseen_again(void);
/* The code of this one was executed in some execution: it needs no fault any more. */
void unseen_known(uint32_t module);
/* All can be executed again: for a forked process that runs by itself. */
void unseen_release(void);

#endif
