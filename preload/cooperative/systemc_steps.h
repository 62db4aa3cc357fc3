/*
 * Steps of SystemC's processes: systemc.c says where they begin and end; their footprints go to the session (sched/step.h). These functions
 * do nothing unless the strategy needs footprints, or the execution ends at a race. Call them inside simul.
 */
#ifndef SIMUL_SYSTEMC_STEPS_H
#define SIMUL_SYSTEMC_STEPS_H

#include <stdbool.h>

/* Returns whether footprints are needed. */
bool steps_wanted(void);
/* The kernel is about to choose the first process, on the stack of sc_main. */
void steps_first(void);
/* Ends the step of the process that ran, if one is open, and publishes its footprint. by_itself: the process gave control back. */
void steps_end(bool by_itself);
/* Publishes a choice among these n processes; `first` is the one with value 0, and the others follow in their order. */
void steps_choice(void *const *process, unsigned n, unsigned first);
/* A single process is runnable: it runs without a choice. */
void steps_forced(void);
/* These processes are runnable; 0: the evaluation phase is over. */
void steps_runnable(void *const *process, unsigned n);
/* Begins the step of the process that was chosen among `runnable` ones. running: it is the process that runs now, on
   this stack. */
void steps_begin(void *process, unsigned runnable, bool thread, bool running);
/* The kernel has called a function with this frame, on its own stack. Methods run below it. */
void steps_kernel_at(const void *frame);
/* The kernel calls the chosen process, a method. */
void steps_method_runs(void);

#endif
