/*
 * Forks the processes of executions, and waits for their end.
 *
 * The parent needs the status of such a process, but the kernel discards it if the program ignores SIGCHLD. So the kernel's disposition of
 * SIGCHLD is the default one in the parent, and the program's own in the child.
 */
#ifndef SIMUL_FORK_H
#define SIMUL_FORK_H

#include <sys/types.h>

/* Forks a process, which is killed when its parent ends. Returns its pid, 0 in the child, or a negative errno value. Call it between
   executions, or at a scheduling point. */
long execution_fork(void);
/* Waits for such a process and returns its status (waitpid). Ends the session if that is impossible. */
int execution_await(pid_t pid);

#endif
