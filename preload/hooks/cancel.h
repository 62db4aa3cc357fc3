/* Cancellation points in calls that are no events otherwise. */
#ifndef SIMUL_CANCEL_H
#define SIMUL_CANCEL_H

#include <stdbool.h>

/* Finds out whether the program can cancel threads. Once, in the constructor. */
void cancel_init(void);

/* Acts on a cancellation request of the running thread, and returns if there is none. In programs that can cancel threads this is an event;
   in others it does nothing. Call it between ctl_enter and ctl_leave. */
void cancel_point(const void *pc);
/* The same, for a call that does not enter simul otherwise. Call it outside simul. */
void cancel_before(const void *pc);
/* Returns whether the program can cancel threads. */
bool cancel_possible(void);

#endif
