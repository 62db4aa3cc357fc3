/*
 * Notices an execution that makes no progress: it burns CPU time between two scheduling points, or is
 * blocked in the kernel where simul cannot see it.
 */
#ifndef SIMUL_WATCHDOG_H
#define SIMUL_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/segment/segment.h"

struct watchdog {
	uint64_t limit_ns;     /* CPU time; ten times as much by the clock on the wall */
	uint64_t progress;     /* last seen */
	uint64_t executions;
	pid_t pid;
	uint64_t cpu_ns, wall_ns; /* at that time */
	uint64_t asked_ns;     /* when the target was asked to end the execution; 0 = not */
	uint64_t hangs;        /* executions that were ended so far */
};

void watchdog_start(struct watchdog *w, uint64_t limit_ns);

/* The target was idle for a good reason (it waited for us): start counting afresh. */
void watchdog_forgive(struct watchdog *w);

/* Call often. main_pid: the target; only processes below it are ever signalled. */
void watchdog_look(struct watchdog *w, const struct segment *seg, pid_t main_pid);

/* Monotonic time in ns. */
uint64_t wall_clock_ns(void);

#endif
