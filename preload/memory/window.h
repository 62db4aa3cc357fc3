/*
 * The window of an execution: the part in which every access to shared memory is an event (strategy `windows`, struct
 * settings).
 *
 * Outside of it the execution is *coarse*: accesses of sensors are no events, are not recorded in the shadow, and wait
 * for nothing; only errors in the use of the heap are noticed. After `slice` of them on average a thread gives way
 * (EV_GIVE_WAY). Other operations are events everywhere, but have no alternatives there: the world is shut. All this
 * depends only on the number of events before, so a replay with the same settings does the same.
 *
 * In the window and outside of it, a thread gives way early if it waits: if it accesses one address again and
 * again, and finds the same value. Such a loop may compute for long between two accesses (exponential backoff).
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
/* Call it when an execution goes on from a snapshot: its window may end at another event. */
void window_resume(void);
/* Call it when the trace has one event more. Sets mem_coarse, and returns the accesses up to the next look at the thread
   (mem_budget). */
int64_t window_event(void);
/* Returns whether the running execution comes to its window, which begins after n events. */
bool window_comes(uint32_t n);
/* The running execution has a window. */
extern bool window_on;
/* Call it then for each access. Returns whether the thread waits: it has found one value at one address very
   often in a row, without an event. */
bool window_waits(uint64_t addr, uint64_t size);

#endif
