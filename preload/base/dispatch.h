/*
 * System calls that the program makes by its own instructions. OpenMP's runtime waits in futexes that way; other code forks or creates
 * threads. The kernel's syscall user dispatch raises SIGSYS for system calls that do not come from libc's text, and they are handled like
 * calls of syscall(). Kernels before 5.11 lack it. There simul does not see these system calls, and the watchdog ends an execution that
 * they block.
 */
#ifndef SIMUL_DISPATCH_H
#define SIMUL_DISPATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Finds libc's text and installs the handler. Once, before control starts. */
void dispatch_init(void);
/* Switches the dispatch on for the calling kernel thread. It is active while *selector is not 0. A child of a fork must call this again. */
void dispatch_on(char *selector);

/* Returns whether a frame with this return address is that of the handler: the one after it made the system call. */
bool dispatch_is_return(uint64_t pc);

/* Returns whether the dynamic linker made the mmap or mprotect that is being performed. Only the first call in the hook is right. */
bool dispatch_by_linker(void);

#endif
