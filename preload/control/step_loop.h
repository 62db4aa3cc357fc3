/* The step loop (ctl.c), for the rooms that begin and end executions and threads. Hooks use ctl.h. */
#ifndef SIMUL_STEP_LOOP_H
#define SIMUL_STEP_LOOP_H

#include "sched/event.h"
#include "sched/strategy.h"

/* Appends *e to the trace, and passes it to the data race check, happens-before and the strategy. Ends the execution as cut when the
   trace is full. Inside simul. */
void ctl_append(const struct event *e);
/* Announces the running thread's last operation. The thread never runs program code again, except for signal handlers. Inside simul. */
void ctl_gone(const struct op *op) __attribute__((noreturn));
/* The strategy of this session; its state lies in the segment. */
extern struct strategy run_strategy;

#endif
