/* Shortening the prefix of a program that runs under a certificate. */
#ifndef SIMUL_RELAX_H
#define SIMUL_RELAX_H

#include "enforce/certificate.h"
#include "enforce/plan.h"

/*
 * Returns whether the program that runs under the certificate `now` may go on under `newer`: that is of the same program and execution, orders fewer
 * events, and names no code or memory that the running program does not watch. false: *why (static) completes "the running program cannot use it: ".
 */
bool relax_allowed(const struct certificate *now, const struct certificate *newer, const char **why);

/* Sets the length of the prefix, if that makes it shorter, and wakes threads that wait. The plan is the shared memory that the program has. */
void relax_plan(struct plan *plan, uint32_t certified);

/* Wakes all threads that wait: each looks at the length of the prefix again. */
void relax_wake(struct plan *plan);

#endif
