/* Looks for memory orders that would have prevented a failure under RC11, with executions of the program. */
#ifndef SIMUL_STRONGER_ORDERS_H
#define SIMUL_STRONGER_ORDERS_H

#include "cli/bugs/rerun.h"
#include "recorder/recording.h"

/* Fills r->orders if that is empty, and the failure is one that orders can prevent (replay/stronger.h). how: how to run
   the program, the schedule, which is the one of the recording, and the time limit. These are its events, as many
   as the recording has steps. */
void stronger_orders(const struct rerun *how, struct recording *r, const struct event *event);

#endif
