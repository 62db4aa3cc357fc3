/* Shortening the prefix of a program that runs under a certificate. */
#ifndef SIMUL_RELAX_H
#define SIMUL_RELAX_H

#include "enforce/certificate.h"
#include "enforce/plan.h"

/*
 * Returns whether a program that runs under certificate `now` may continue under `newer`. `newer` must be of the same program and
 * execution, order fewer events, and name no code or memory that the running program does not watch. If not, *why (static) completes the
 * sentence "the running program cannot use it: ".
 */
bool relax_allowed(const struct certificate *now, const struct certificate *newer, const char **why);

/* Shortens the prefix to this length, unless it is already shorter, and wakes waiting threads. The plan is the shared memory that the
   program has mapped. */
void relax_plan(struct plan *plan, uint32_t certified);

/* Wakes all waiting threads, so that each checks the length of the prefix again. */
void relax_wake(struct plan *plan);

#endif
