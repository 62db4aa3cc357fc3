/*
 * System calls that the program makes itself, past libc: OpenMP's runtime waits in futexes by inline
 * instructions, other code forks or makes threads. The kernel's syscall user dispatch sends those that do
 * not come from libc's text here, and they are treated like calls of syscall(). Where the kernel has none
 * (before 5.11) they go by unseen, and the watchdog ends what they block.
 */
#ifndef SIMUL_DISPATCH_H
#define SIMUL_DISPATCH_H

#include <signal.h>
#include <stdbool.h>

/* Finds libc's text and installs the handler. Once, before control starts. */
void dispatch_init(void);
/* Switches it on for the calling kernel thread while *selector is not 0: it does not survive a fork. */
void dispatch_on(char *selector);

#endif
