/*
 * What the children of fork look at. A child sees the memory and the locks of the moment of the fork, so a fork reads whatever its child
 * reads. A child runs natively, but its code is patched as before; it notes in the session which bytes it reads and which objects it
 * uses. All later forks of the session count as reads of these bytes (child_reads_forked). If such a byte is visible to the search, or other
 * threads use such an object, each fork becomes dependent with every event (EV_FORK in place of EV_FD_OTHER), and the search restarts.
 */
#ifndef SIMUL_CHILD_READS_H
#define SIMUL_CHILD_READS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

/* true: this process is a child of fork, and notes what it looks at. Accesses reach mem_note (mem_on), which has no other effect here. */
extern bool child_reads_on;

/* Begins that, in the child. */
void child_reads_begin(void);
/* Notes a read. Returns false. May be called wherever mem_note may. */
bool child_reads_note(uint64_t addr, uint64_t size);
/* Notes that the child is about to use the synchronisation object at addr. Does nothing in other processes. */
void child_reads_object(const volatile void *addr);

/* Returns the kind of the event of a fork. */
unsigned child_reads_kind(void);
/* Call it when thread t, the running one, has performed the event of a fork at the return address pc, inside simul. Returns false if children read more than the table
   holds, which the verdict must say. */
bool child_reads_forked(thread_id t, uint64_t pc);
/* Call it when an execution has ended and no child of it runs. */
void child_reads_over(void);

#endif
