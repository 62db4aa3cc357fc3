/*
 * Libraries whose accesses are not seen. The verdict needs to know whether their code was executed while other threads could observe it.
 *
 * From unseen_close on their code is not executable. The first attempt is a fault; then the code becomes executable. The state is private
 * memory and page protections. So unseen_again must be called before that memory is put back.
 */
#ifndef SIMUL_UNSEEN_H
#define SIMUL_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

/* Watches the code [lo, hi) of a library that was just loaded; `module` is its number in the session. Returns false when there is no room
   for another library, or the kernel refuses: then nothing shows whether its code is executed. */
bool unseen_add(uint32_t module, uint64_t lo, uint64_t hi);
/* Executions begin, or continue in another process: makes the code that was not executed yet non-executable. Calls `unwatched` for modules
   with which that failed. */
void unseen_close(void (*unwatched)(uint32_t module));
/* An instruction fetch from `addr` was refused. Returns true when it was in such a library, whose code is executable now. *module: the
   number of the library when this must be reported, otherwise UINT32_MAX. It need not be with `alone` (no other thread lives), until
   unseen_again. */
bool unseen_fault(uint64_t addr, bool alone, uint32_t *module);
/* Another thread begins, or the memory of this execution is put back: code that ran while its thread was alone may count the next time.
   `unwatched`: as above. */
void unseen_again(void (*unwatched)(uint32_t module));
/* The code of this module was executed in some execution, so it stays executable. */
void unseen_known(uint32_t module);
/* Makes all code executable, for a forked process that is not under control. */
void unseen_release(void);

#endif
