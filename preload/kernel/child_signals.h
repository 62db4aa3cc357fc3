/* SIGCHLD: the kernel's disposition of it stays the default one, and simul sends the signal. Called inside simul. */
#ifndef SIMUL_CHILD_SIGNALS_H
#define SIMUL_CHILD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* Call it when the program has started this child. */
void child_signals_started(pid_t pid);
/* The same for a child whose pid is not known (popen). */
void child_signals_started_some(void);
/* Call it when the running thread has reaped the child of *info, which has ended. Sends SIGCHLD if it was not sent for
   this child: the kernel sends it before a wait can find the child. */
void child_signals_reaped(const siginfo_t *info, const void *pc);
/* The same where it is not known which child was reaped (pclose). */
void child_signals_reaped_some(const void *pc);
/* Call it before the running thread lets time pass. Sends SIGCHLD for the children that have ended. Runs no handler: it
   may interrupt what follows. */
void child_signals_at_rest(const void *pc);
/* Call it when no thread is enabled. Sends SIGCHLD for children that have ended. Returns whether it sent one. In
   scheduler context. */
bool child_signals_idle(void);
/* Returns whether a child is left whose end will send a SIGCHLD that does something. */
bool child_signals_to_come(void);

#endif
