/* Cancellation points in calls that are no events otherwise. */
#ifndef SIMUL_CANCEL_H
#define SIMUL_CANCEL_H

/* Finds out whether the program can cancel threads. Once, in the constructor. */
void cancel_init(void);

/* Acts on a cancellation request of the running thread, and returns if there is none. In programs that can cancel threads this is an event;
   in others it does nothing. Call it between ctl_enter and ctl_leave. */
void cancel_point(const void *pc);

#endif
