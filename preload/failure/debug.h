/*
 * Where a replay stops for somebody who looks at it: a debugger (replay/gdb/), which has a breakpoint on simul_debug_stop, or
 * the user of `simul replay --stop-at`, for whom the process waits.
 */
#ifndef SIMUL_DEBUG_H
#define SIMUL_DEBUG_H

#include <stdint.h>

#include "sched/ids.h"
#include "sched/strategy.h"

/* Why it stopped. The numbers are known to replay/gdb/simul_gdb/process.py. */
enum debug_reason {
	DEBUG_READY = 1, /* before main: the program's code is patched, its first instruction is still to come */
	DEBUG_STEP,      /* before the step `step` */
	DEBUG_FAILURE,   /* after the failure; the process is as it was then */
	DEBUG_DIVERGED,  /* the program did something else than was recorded */
	DEBUG_END,       /* the schedule was followed to its end, and nothing failed */
	DEBUG_PATCHED,   /* more code was loaded, and patched */
};

/* Written before each stop, read by the debugger by these offsets. */
struct debug_area {
	uint32_t version;  /* DEBUG_VERSION; 0: nobody looks */
	uint32_t reason;   /* enum debug_reason */
	uint32_t stop_at;  /* written by the debugger: stop before this step, counted from 1; 0: at none */
	uint32_t step;     /* the last one that was begun, and at DEBUG_STEP is still to come; from 1 */
	uint32_t thread;   /* thread_id: DEBUG_STEP: whose step it is, else who failed or ran last; NO_THREAD: nobody */
	uint32_t bug_kind; /* DEBUG_FAILURE: enum bug_kind */
	uint64_t message;  /* DEBUG_FAILURE: address of the text */
	uint64_t running;  /* address of the uint32_t thread_id whose code runs now */
	uint64_t tables;   /* address of the first struct patched's old_lo (preload/patch/trap.h) */
	uint32_t table_n, table_bytes; /* how many there are; from one to the next */
	int32_t tid[MAX_THREADS]; /* kernel threads by thread_id, negative when the program's thread has ended; 0: none yet */
};
#define DEBUG_VERSION 2

extern struct debug_area simul_debug;

void debug_init(void);           /* once, when the session is mapped */
void debug_stop(enum debug_reason reason, thread_id who); /* does nothing when nobody looks */
void debug_over(enum run_verdict v); /* the execution is over */

void debug_at(uint32_t step, thread_id who);

/* Before each step of an execution. `step` counts from 1. */
static inline void debug_step(uint32_t step, thread_id who)
{
	if (simul_debug.version)
		debug_at(step, who);
}

#endif
