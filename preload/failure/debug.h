/*
 * Stops of a replay. A debugger (replay/gdb/) has a breakpoint on simul_debug_stop. With `simul replay --stop-at` the process waits for
 * the user to attach a debugger.
 */
#ifndef SIMUL_DEBUG_H
#define SIMUL_DEBUG_H

#include <stdint.h>

#include "sched/ids.h"
#include "sched/strategy.h"

/* The reason of a stop. replay/gdb/simul_gdb/process.py uses these numbers. */
enum debug_reason {
	DEBUG_READY = 1, /* before main: the program's code is patched, and none of it has run */
	DEBUG_STEP,      /* before the step `step` */
	DEBUG_FAILURE,   /* just after the failure; the process is unchanged */
	DEBUG_DIVERGED,  /* the program did not do what was recorded */
	DEBUG_END,       /* the schedule was followed to its end without a failure */
	DEBUG_PATCHED,   /* the program loaded more code, which is patched now */
};

/* The data of a stop. simul writes it before each stop, and the debugger reads it by these offsets. */
struct debug_area {
	uint32_t version;  /* DEBUG_VERSION; 0: there is no debugger */
	uint32_t reason;   /* enum debug_reason */
	uint32_t stop_at;  /* written by the debugger: stop before this step, counted from 1; 0: do not stop */
	uint32_t step;     /* number of the latest step that began, from 1; at DEBUG_STEP the number of the next step */
	uint32_t thread;   /* thread_id. DEBUG_STEP: the thread of the step. Else the thread that failed or ran last; NO_THREAD: none */
	uint32_t bug_kind; /* DEBUG_FAILURE: enum bug_kind */
	uint64_t message;  /* DEBUG_FAILURE: address of the bug's message */
	uint64_t running;  /* address of a uint32_t: the thread_id of the thread that runs now */
	uint64_t tables;   /* address of old_lo in the first struct patched (preload/patch/trap.h) */
	uint32_t table_n, table_bytes; /* number of these structs, and bytes from one to the next */
	int32_t tid[MAX_THREADS]; /* kernel threads by thread_id; negative: the program's thread has ended; 0: none yet */
};
#define DEBUG_VERSION 2

extern struct debug_area simul_debug;

/* Fills the area if the session has a debugger. Called once, after the session is mapped. */
void debug_init(void);
/* Stops for this reason, which concerns the thread or agent `who`. Does nothing without a debugger. Inside simul. */
void debug_stop(enum debug_reason reason, thread_id who);
/* Stops at the end of an execution with verdict v. */
void debug_over(enum run_verdict v);

/* The part of debug_step for executions with a debugger. */
void debug_at(uint32_t step, thread_id who);

/* Called before each step of an execution; it may stop there. `step` counts from 1. */
static inline void debug_step(uint32_t step, thread_id who)
{
	if (simul_debug.version)
		debug_at(step, who);
}

#endif
