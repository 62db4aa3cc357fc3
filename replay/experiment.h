/*
 * Experiments check the claims of a diagnosis. A step of the failing schedule is moved before an earlier one, or a
 * switch between threads is left out, or a choice of a scheduler is made otherwise; the rest follows the schedule as
 * far as possible (struct guided). The execution shows whether the order was the wanted one, and whether the failure
 * persists.
 */
#ifndef SIMUL_EXPERIMENT_H
#define SIMUL_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/recording.h"
#include "replay/minimize.h"

/*
 * Makes the executions for *t and fills t->result. The steps of the recording are these n events. Returns false if there is no result, because
 * the order could not be achieved or no more runs were allowed. *runs is incremented for each execution.
 */
bool experiment(struct rec_try *t, const struct recording *r, const struct event *event, uint32_t n, minimize_run run, void *ctx,
	unsigned *runs);

#endif
