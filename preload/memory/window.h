/*
 * The window of an execution: the part in which every access to shared memory is an event (strategy `windows`, struct
 * settings).
 *
 * Outside of it the execution is *coarse*: accesses of sensors are no events, are not recorded in the shadow, and wait
 * for nothing; only errors in the use of the heap are noticed. After `slice` of them on average a thread gives way
 * (EV_GIVE_WAY). Other operations are events everywhere, but have no alternatives there: the world is shut. All this
 * depends only on the number of events before, so a replay with the same settings does the same.
 */
#ifndef SIMUL_WINDOW_H
#define SIMUL_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether executions of this session have windows. Then waiting loops are not found, since writes that end them
   may be no events. */
bool window_used(void);
/* Call it when an execution starts in this process. */
void window_begin(void);
/* Call it when the trace has one event more. Sets mem_coarse, and returns the accesses up to the next look at the thread
   (mem_budget). */
int64_t window_event(void);

#endif
