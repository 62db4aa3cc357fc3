/*
 * System calls that the program makes by its own instructions, such as those of OpenMP's runtime. The kernel's syscall
 * user dispatch raises SIGSYS for them, and they become calls of syscall(). That is done only if the search has seen
 * such calls (preload/base/dispatch.h).
 */
#ifndef SIMUL_INLINE_CALLS_H
#define SIMUL_INLINE_CALLS_H

/* Installs the handler, and begins with the calling thread. Once, before the program's own code runs. */
void inline_calls_init(void);

/* The calling thread, a new one, makes such calls, too. */
void inline_calls_thread(void);

#endif
