/*
 * Memory that was mapped with MAP_SHARED before the first thread (anonymous, of shm_open, a memfd, a file). A fork does not copy it and a
 * rewind does not see it, so its contents are kept at the checkpoint and put back before each execution.
 *
 * It is left as it is, and the verdict says so, where another process has mapped it too: what that process wrote must not be undone.
 */
#ifndef SIMUL_SHARED_MEMORY_H
#define SIMUL_SHARED_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* At the checkpoint: keeps the contents of all such memory. Does nothing with ISOLATION_EXEC, where each process maps its own. */
void shared_remember(void);
/* Before each execution, when the files are as they were: as at the checkpoint. */
void shared_restore(void);
/* Is there any such memory? Then processes in the middle of an execution share it. */
bool shared_any(void);
/* Does the byte lie in memory that another process has mapped too, which can change it at any time? */
bool shared_with_others(uint64_t addr);

/* operations.may_be_woken */
bool shared_may_be_woken(void);

#endif
