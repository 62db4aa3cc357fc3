/* Runs a test without simul. */
#ifndef SIMUL_STRESS_NATIVE_H
#define SIMUL_STRESS_NATIVE_H

#include "cli/supervise/process.h"
#include "cli/nightly/stress/stress.h"

/* Returns the time limit of t without simul: --native-timeout if given, else its own limit, else the default of --native-timeout. */
uint64_t native_limit(const struct stress *s, const struct stress_test *t);

/* Fills the plan for running the test within the time left. */
void native_plan(struct stress *s, const struct stress_test *t, struct process_plan *plan);

/*
 * Records the result: sets t->native.done or t->native.passed, or settles t. Sets none of them if the test must run again: the time for all tests
 * ended, or it failed, which may not happen again.
 */
void native_ended(struct stress *s, struct stress_test *t, const struct process *p);

/* Call it at the end. If the time for all tests ended before the search of t, and the run without simul took at least
   half of the time of t, adds a note that says how long it took; also if executions are so long that the search went on
   with windows. */
void native_note(const struct stress *s, struct stress_test *t);

/* Returns what else decides the result besides the exit status, as text for a sentence; NULL: nothing. Only this run checks it; a search
   does not. */
const char *native_decides(const struct stress_test *t);

#endif
