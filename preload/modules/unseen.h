/*
 * Libraries whose accesses are not seen. The verdict needs to know whether their code was executed while other threads could observe it.
 *
 * From unseen_close on their code is not executable. The first attempt to execute it is a fault, which makes it executable. The state
 * consists of private memory and page protections, and a rewind restores only the memory. So unseen_again must be called before that.
 */
#ifndef SIMUL_UNSEEN_H
#define SIMUL_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

/* Watches the code [lo, hi) of a library that was just loaded; `module` is its number in the session. Returns false when there is no room
   for another library, or the kernel refuses: then an execution of its code goes unnoticed. */
bool unseen_add(uint32_t module, uint64_t lo, uint64_t hi);
/* Called when executions begin, or continue in another process. Makes all code non-executable that was not executed yet. Calls `unwatched`
   for the modules for which the kernel refuses. */
void unseen_close(void (*unwatched)(uint32_t module));
/* Handles a refused instruction fetch from `addr`. Returns true when the address lies in such a library; its code is executable now. Sets
   *module to the number of the library if its execution must be reported, otherwise to UINT32_MAX. With `alone` (no other thread lives) it
   need not be reported, and the code stays executable until unseen_again. */
bool unseen_fault(uint64_t addr, bool alone, uint32_t *module);
/* Call it before another thread begins, and before the memory of this execution is put back. Makes code non-executable again that ran while
   its thread was alone, because its next execution may count. `unwatched` is as above. */
void unseen_again(void (*unwatched)(uint32_t module));
/* Makes the code of this module executable permanently, because an execution has run it. */
void unseen_known(uint32_t module);
/* Makes all code executable, for a forked process that is not under control. */
void unseen_release(void);

#endif
