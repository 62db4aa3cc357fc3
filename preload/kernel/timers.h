/*
 * Timers on virtual time: alarm, setitimer, timer_create. A timer never fires by itself: time passes
 * only when a thread lets it pass (sleeps, times out, reads the clock) or when nothing else can
 * happen.
 */
#ifndef SIMUL_TIMERS_H
#define SIMUL_TIMERS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "sched/ids.h"

#define TIMERS_NEVER UINT64_MAX

#define N_TIMERS 64
#define FIRST_POSIX 3 /* the slots before are ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */

/* For hook_timer.c, which sets them. */
extern struct vtimer {
	bool used;
	uint8_t notify;    /* SIGEV_SIGNAL, SIGEV_NONE, SIGEV_THREAD_ID */
	int sig;
	int code;          /* si_code of its signal */
	thread_id target;  /* SIGEV_THREAD_ID; else NO_THREAD */
	clockid_t clock;
	union sigval value;
	uint64_t due;      /* TIMERS_NEVER: not armed */
	uint64_t interval; /* ns; 0: once */
	int overrun;
	thread_id set_by;  /* the thread that set it after the checkpoint; else NO_THREAD */
	uint32_t set_from; /* interrupt_sent at that moment; 0: it was never set */
} virtual_timer[N_TIMERS];

/* The first epoch of the running thread in which a timer with signal `sig` could have fired, as for interrupt_begin. */
uint32_t timers_fired_from(int sig);

/* Virtual time at which the next armed timer that thread t would handle is due; TIMERS_NEVER: none. */
uint64_t timers_next(thread_id t);

/* Sends the signals of all timers due at `now`, the clock of the running thread. Inside control. true: a
   handler ran on the running thread. */
bool timers_fire_due(uint64_t now);

/* Nothing can happen before a timer fires: fires the earliest one that a handler or a waiting thread
   awaits, if it is due at `before` or earlier. In scheduler context. Returns whether it fired one. */
bool timers_fire_idle(uint64_t before);

/* Is one armed whose signal is in `set` (bit sig-1), so that a wait for these signals will end? */
bool timers_armed_for(uint64_t set);

/* Takes over the timers of alarm and setitimer that are running in the kernel. Once, in the constructor. */
void timers_adopt(void);

#endif
