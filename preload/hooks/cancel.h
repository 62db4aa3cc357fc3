/* Cancellation points that are no events otherwise. */
#ifndef SIMUL_CANCEL_H
#define SIMUL_CANCEL_H

/* Finds out whether the program can cancel threads. Once, in the constructor. */
void cancel_init(void);

/* Acts on a cancellation request of the running thread; then it does not return. An event, but only in programs that can cancel threads.
   Call it between ctl_enter and ctl_leave. */
void cancel_point(const void *pc);

#endif
