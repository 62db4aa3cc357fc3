/*
 * How an execution ends, as the step loop (ctl.c) notices it: an operation that is a misuse, no thread that is enabled, the exit of the process.
 */
#ifndef SIMUL_ENDING_H
#define SIMUL_ENDING_H

#include "sched/world.h"

struct fiber;

/* Ends the execution with the misuse that the step found. Inside simul. */
void ending_misuse(const struct step *st) __attribute__((noreturn));

/* Call it when no thread is enabled, apart from those with a deferred exit or timeout. Returns the number of choices that these give; 0:
   world_choices may find new choices now. Ends the execution if no thread can ever continue. */
unsigned ending_nothing_enabled(struct choice *choices);

/* Ends the execution after the EXIT of f, with the status that f has. */
void ending_exit(const struct fiber *f) __attribute__((noreturn));

#endif
