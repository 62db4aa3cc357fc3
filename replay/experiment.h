/*
 * Experiments: is what a diagnosis says of a failure so? A step of the failing schedule is made in the other order with an earlier
 * one, or a switch between threads is left out; what comes then follows the schedule as far as that goes (struct guided). The
 * execution tells whether the order was the wanted one, and whether it still fails.
 */
#ifndef SIMUL_EXPERIMENT_H
#define SIMUL_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "recorder/recording.h"
#include "replay/minimize.h"

/*
 * Makes the executions for *t, of a recording whose steps are these n events, and fills t->result. false: it is not known, because that
 * order could not be brought about, or there were no more runs. *runs counts executions.
 */
bool experiment(struct rec_try *t, const struct recording *r, const struct event *event, uint32_t n, minimize_run run, void *ctx,
	unsigned *runs);

#endif
