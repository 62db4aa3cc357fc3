/*
 * Memory that the program does not want its child processes to have: madvise with MADV_DONTFORK and MADV_WIPEONFORK.
 *
 * Executions are forked from the checkpoint and must have all memory, so the kernel does not learn of this advice. The program's own children
 * follow it in fork_advice_follow.
 *
 * The list is private memory: it is put back with the program.
 */
#ifndef SIMUL_FORK_ADVICE_H
#define SIMUL_FORK_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether this is advice about forks, and this process keeps it in the list. A process that followed the list does not. */
bool fork_advice_is(int advice);
/* Remembers advice that the kernel has accepted and that was withdrawn from the kernel. Returns false if the list is full. */
bool fork_advice_set(const void *addr, size_t size, int advice);
/* Forgets all advice for these bytes, whose mapping is replaced or removed. */
void fork_advice_forget(const void *addr, size_t size);
/* Call it in a child that the program forked, when it becomes native. Removes or clears the memory, as the kernel would have done. */
void fork_advice_follow(void);

#endif
