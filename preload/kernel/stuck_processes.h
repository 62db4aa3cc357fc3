/*
 * The processes that the program started, as /proc shows them: whether they can ever end, and those that an execution leaves behind.
 * Reading /proc is slow: use this only when no thread can continue, or an execution that started processes has ended.
 */
#ifndef SIMUL_STUCK_PROCESSES_H
#define SIMUL_STUCK_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns whether each process that descends from this one waits for ever: all its threads wait, without a time limit, for a futex that no
   other process can wake, or for the end of such a process. A process in another program (after exec) or with a timer never counts, since
   simul does not know what may wake it. `first`: the pid of the process at which the chain of waits ends. False without /proc. */
bool stuck_processes(pid_t *first);

/* Returns whether no process that descends from this one is known to run: their threads sleep or have ended. */
bool stuck_processes_asleep(void);

/* Kills the processes that descend from this one, and waits for the end of its children. Call it when an execution has ended. */
void stuck_processes_kill(void);

#endif
