/*
 * Calls of the real function behind a hook, when it may be another library's. tcmalloc defines mmap, munmap and mremap, and makes them with
 * syscall(). That call must not come back to the hook.
 */
#ifndef SIMUL_DIRECTLY_H
#define SIMUL_DIRECTLY_H

#include "preload/base/state.h"

/* Runs the statement inside simul, where syscall() makes the system call itself. Keeps errno as the statement leaves it. */
#define DIRECTLY(statement)                                                                        \
	do {                                                                                       \
		bool entered_ = ctl_enter();                                                       \
		statement;                                                                         \
		if (entered_)                                                                      \
			ctl_leave();                                                               \
	} while (0)

#endif
