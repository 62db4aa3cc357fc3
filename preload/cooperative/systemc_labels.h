/* Labels that say in reports what SystemC's kernel did: when which process was chosen before which others, and which
   one runs. */
#ifndef SIMUL_SYSTEMC_LABELS_H
#define SIMUL_SYSTEMC_LABELS_H

#include "preload/cooperative/systemc_kernel.h"
#include "sched/policy.h"

/* Labels the delta cycle, unless it has its label: "10 ns, delta 3". */
void labels_phase(void);
/* The search chose this value at a point where these processes were runnable. */
void labels_order(const struct systemc_runnable *r, struct policy_point point, unsigned value);
/* A process runs now, or does not. */
void labels_runs(bool process);
/* A delta cycle is over. */
void labels_phase_over(void);

/* Returns the name of the process that runs, which just failed; "": none runs. Labels the delta cycle in which that
   was. Inside simul. */
const char *systemc_failing(void);

#endif
