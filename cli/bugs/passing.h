/* `simul run --passing`: a recording of an execution that passed. */
#ifndef SIMUL_PASSING_H
#define SIMUL_PASSING_H

#include <stdbool.h>
#include <stdio.h>

struct search;

/* Call it after the search, however it ended. Follows the schedule of the first execution that passed once more, writes the recording
   search->opt.passing, and says so on `out`. explored: false if nothing could be explored. false: one message was printed. */
bool passing_write(struct search *search, bool explored, FILE *out);

#endif
