/* A test by itself, without simul. */
#ifndef SIMUL_STRESS_NATIVE_H
#define SIMUL_STRESS_NATIVE_H

#include "cli/stress/process.h"
#include "cli/stress/stress.h"

/* How it is run, in the time that is left. */
void native_plan(struct stress *s, const struct stress_test *t, struct process_plan *plan);

/*
 * What came of it: t->native_done; t->passed; or t is settled. Neither when it is to be run again: it was stopped because the whole time was over,
 * or it failed, which may be a matter of luck.
 */
void native_ended(struct stress *s, struct stress_test *t, const struct process *p);

/* What decides beside the exit status, and was looked at in this run only, for a sentence; NULL: nothing. A search does not look at it. */
const char *native_decides(const struct stress_test *t);

#endif
