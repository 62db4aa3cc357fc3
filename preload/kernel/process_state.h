/*
 * State that the kernel keeps of the process or the running kernel thread, and that executions change. The state before the first change of an
 * execution is kept, and set again before the execution is rewound. What the kernel does not let the process set again (a hard limit, a lower
 * niceness) cannot be put back; then the next process takes over.
 *
 * What is kept is private memory: a rewind forgets it. All functions are called inside simul.
 */
#ifndef SIMUL_PROCESS_STATE_H
#define SIMUL_PROCESS_STATE_H

#include <stdbool.h>

enum kept_state {
	KEPT_DIRECTORY,  /* the working directory */
	KEPT_UMASK,
	KEPT_PROCESSORS, /* sched_setaffinity */
	KEPT_SCHEDULING, /* policy, priority, niceness */
	KEPT_NAME,       /* of the kernel thread */
	KEPT_LIMIT,      /* KEPT_LIMIT + RLIMIT_... */
	KEPT_STATES = KEPT_LIMIT + 16,
};

/* Call it in a process that will be rewound, just before its executions. In other processes state_keep returns false. */
void state_begin(void);
/* Call it before the program changes this state. Returns false if it cannot be kept. `state` may be out of range. */
bool state_keep(unsigned state);
/* Returns whether the running execution has changed any. */
bool state_kept_any(void);
/* Call it at the end of the execution. Sets the kept state again. Returns false if the kernel refuses. Writes to no private memory. */
bool state_put_back(void);

#endif
