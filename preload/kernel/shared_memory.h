/*
 * Memory that was mapped with MAP_SHARED before the first thread (anonymous, of shm_open, a memfd, a file). Neither a fork nor a rewind
 * copies it, so its contents are saved at the checkpoint and restored before each execution.
 *
 * If another process has mapped such memory too, no shared memory is restored, since that would undo writes of the other process. The
 * verdict says so.
 */
#ifndef SIMUL_SHARED_MEMORY_H
#define SIMUL_SHARED_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Call it at the checkpoint. Saves the contents of all such memory. Does nothing with ISOLATION_EXEC, where each process maps its own. */
void shared_remember(void);
/* Call it before each execution, after its files were restored. Restores the contents. */
void shared_restore(void);
/* Returns whether such memory may be that of a file with this inode number. */
bool shared_is_mapped(uint64_t ino);
/* Returns whether there is any such memory. A process that was forked in the middle of an execution would share it with its parent. */
bool shared_any(void);
/* Returns whether another process has mapped the byte too, and may change it at any time. Slow. */
bool shared_with_others(uint64_t addr);

/* operations.may_be_woken */
bool shared_may_be_woken(void);

#endif
