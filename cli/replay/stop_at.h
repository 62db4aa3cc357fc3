/* simul replay --stop-at N without --gdb: the program waits before step N. */
#ifndef SIMUL_STOP_AT_H
#define SIMUL_STOP_AT_H

#include <stdint.h>

#include "cli/bugs/rerun.h"

/* Makes the replay stop before that step (from 1), print the state on standard output, and continue when the user presses Enter. */
void stop_at_prepare(struct rerun *r, uint32_t step);

#endif
