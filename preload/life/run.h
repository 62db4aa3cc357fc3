/* Executions: the checkpoint, and how one ends and the next one begins. */
#ifndef SIMUL_LIFE_RUN_H
#define SIMUL_LIFE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/session.h"
#include "sched/strategy.h"

/* The checkpoint. Call it when the program is about to involve a second thread. Returns once for each execution, in the process that runs
   it. Later calls do nothing. */
void run_checkpoint(void);
/* Ends the running execution with verdict v, and continues with the next one. */
void run_over(enum run_verdict v) __attribute__((noreturn));
/* Ends a process that never created a thread, with the program's exit status, after its only execution. */
void run_without_threads(int status) __attribute__((noreturn));
/* Accounts for an execution that an earlier process left unfinished when it died. In the constructor. */
void run_adopt(void);

/* Publishes the state of the session and wakes the supervisor. */
void run_set_state(enum session_state state);
/* Wakes the supervisor; the state stays. */
void run_ring(void);
/* Publishes the state, waits until the supervisor releases it, and continues. */
void run_hand_over(enum session_state state);
/* For describe_only: reports that the session holds the description of the sensors, and waits to be killed. */
void run_described(void) __attribute__((noreturn));
/* Sets ctl_trace to the trace of an execution that another process ran. Ends the session if its description is out of bounds. */
void run_adopt_trace(void);
/* Accounts for the execution that has ended: hands over its bug, and ends it for the strategy. */
void run_account(void);
/* Returns whether a bug with the same signature as that of the ended execution was handed over before. */
bool run_known_bug(void);
/* Like run_account, for an execution whose process died with `wstatus` (waitpid). known: whether that status is reliable. */
void run_account_dead(int wstatus, bool known);
/* Restarts the search if a process died while it changed the strategy's state, which is inconsistent then. */
void run_mend(void);
/* Plans the next execution. Ends the process when there is none. */
void run_plan(void);
/* Starts the planned execution. Called in the process that runs it. */
void run_start(void);
/* operations.snapshot: makes a point (points.h) or a snapshot (snapshot.h) here if it pays. */
void run_look(void);
/* Starts the planned execution from a snapshot (snapshot.h) or a point (points.h). ctl_trace must hold its trace up to
   there. `current` is the thread that runs. */
void run_resume(uint32_t current);

#endif
