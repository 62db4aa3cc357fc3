/*
 * Timers on virtual time: alarm, setitimer, timer_create. A timer never fires by itself: virtual time advances only when a thread sleeps,
 * times out or reads the clock, or when no thread is enabled. The functions are called inside simul.
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
#define FIRST_POSIX 3 /* the slots before it are ITIMER_REAL, ITIMER_VIRTUAL and ITIMER_PROF */

/* All timers. hook_timer.c sets them. */
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
	thread_id set_by;  /* the thread that set the timer after the checkpoint; NO_THREAD: none did */
	uint32_t set_from; /* value of interrupt_sent() when the timer was set; 0: it was never set */
} virtual_timer[N_TIMERS];

/* Returns the first epoch of the running thread in which a timer with signal `sig` could have fired, for interrupt_begin. */
uint32_t timers_fired_from(int sig);

/* Returns the virtual time at which the next armed timer is due whose signal thread t would handle; TIMERS_NEVER: none. */
uint64_t timers_next(thread_id t);

/* Sends the signals of all timers due at `now`, the clock of the running thread. Returns whether a handler ran on that thread. */
bool timers_fire_due(uint64_t now);

/* Call it when no thread is enabled. Fires the earliest timer whose signal has a handler or a thread that waits for it. Returns false if no
   such timer is due at `before` or earlier. In scheduler context. */
bool timers_fire_idle(uint64_t before);

/* Returns whether a timer is armed whose signal is in `set` (bit sig-1), so that a wait for these signals will end. */
bool timers_armed_for(uint64_t set);

/* Adopts the timers of alarm and setitimer that run in the kernel. Once, in the constructor. */
void timers_adopt(void);

#endif
