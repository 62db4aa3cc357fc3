/*
 * Dispositions of signals as resources (resources.h). sigaction changes one; a signal that is sent or delivered reads it: whether a handler runs, whether the
 * signal is ignored, or whether the default action ends the process. If two threads do this without an order, these calls become events on the
 * signals of the process. Signals of timers and of other processes arrive without an event: their order with sigaction is not explored.
 *
 * Functions are called inside simul.
 */
#ifndef SIMUL_SIGNAL_DISPOSITION_H
#define SIMUL_SIGNAL_DISPOSITION_H

#include "sched/event.h"

/* Call it right before the running thread reads the disposition of sig, and acts on it. May be an event. */
void disposition_reads(int sig, const void *pc);
/* Call it right before a call that changes it. */
void disposition_changes(int sig, const void *pc);
/* The same as disposition_reads for an EV_SIGNAL_SEND that is about to be performed: no event of its own. */
void disposition_sends(int sig, struct op *op);

#endif
