/* `simul run --passing`: a recording of an execution that passed. */
#ifndef SIMUL_PASSING_H
#define SIMUL_PASSING_H

#include "cli/run.h"

/* Call it after the search, however it ended. Follows the schedule of the first execution that passed once more, and writes the recording
   run->search.opt.passing. false: one message was printed. */
bool passing_write(struct run *run);

#endif
