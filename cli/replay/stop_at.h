/* simul replay --stop-at N without a debugger of simul's choice: the program waits before step N. */
#ifndef SIMUL_STOP_AT_H
#define SIMUL_STOP_AT_H

#include <stdint.h>

#include "cli/bugs/rerun.h"

/* Makes the replay stop before that step (from 1), tell on standard output what is there, and go on when the user says so. */
void stop_at_prepare(struct rerun *r, uint32_t step);

#endif
