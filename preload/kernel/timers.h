/*
 * Timers on virtual time: alarm, setitimer, timer_create. A timer never fires by itself: time passes
 * only when a thread lets it pass (sleeps, times out, reads the clock) or when nothing else can
 * happen.
 */
#ifndef SIMUL_TIMERS_H
#define SIMUL_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

#define TIMERS_NEVER UINT64_MAX

/* Virtual time at which the next armed timer that thread t would handle is due; TIMERS_NEVER: none. */
uint64_t timers_next(thread_id t);

/* Sends the signals of all timers due at `now`, the clock of the running thread. Inside control. true: a
   handler ran on the running thread. */
bool timers_fire_due(uint64_t now);

/* Nothing can happen before a timer fires: fires the earliest one that a handler or a waiting thread
   awaits. In scheduler context. false: there is none. */
bool timers_fire_idle(void);

/* Is one armed whose signal is in `set` (bit sig-1), so that a wait for these signals will end? */
bool timers_armed_for(uint64_t set);

/* Takes over the timers of alarm and setitimer that are running in the kernel. Once, in the constructor. */
void timers_adopt(void);

#endif
