/*
 * What the parts of the virtual signals share (signals.h): masks and dispositions (signal_state.c), signals that are
 * pending (signal_pending.c), sending (signal_send.c), and running handlers (signal_delivery.c).
 *
 * All of this is private memory, so it belongs to the execution.
 */
#ifndef SIMUL_SIGNAL_STATE_H
#define SIMUL_SIGNAL_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/kernel/signals.h"
#include "sched/ids.h"

#define NEVER_BLOCKED (SIG_BIT(SIGKILL) | SIG_BIT(SIGSTOP))

/* ---- signal_state.c ---- */

/* Signal handlers that run on a thread. This struct lies on the stack of that thread. */
struct signal_frame {
	struct signal_frame *outer;
	uint64_t mask;  /* the thread's mask before the handlers */
	bool suspended; /* the handlers interrupt an operation, which continues afterwards */
	bool interrupts; /* the running handler came at a place that the thread did not choose */
};

extern struct thread_signals {
	uint64_t mask;
	struct signal_frame *frames; /* innermost first */
	bool no_restart;             /* SA_RESTART does not restart the thread's operation */
	bool masked;                 /* in a call that has set another mask until it returns */
	bool delivering;             /* about to handle a signal: no handler runs before that */
} signal_threads[MAX_THREADS];

/* ---- signal_pending.c ---- */

struct pending_signal {
	bool process; /* the signal was sent to the process */
	thread_id t;  /* the thread that is to handle the signal; NO_THREAD: none yet */
	thread_id by; /* the thread that sent the signal to itself, in the epoch `from`; NO_THREAD: another one did */
	uint32_t from;
	thread_id sender; /* the thread that showed a signal from outside, in its epoch `epoch`; NO_THREAD: none did */
	uint32_t epoch;
	siginfo_t info;
};

void pending_add(const struct pending_signal *p);
/* Takes t's first pending signal of `set`. `any`: includes signals to the process that another thread is to handle
   (sigwait). Returns false if there is none. */
bool pending_take(thread_id t, uint64_t set, bool any, struct pending_signal *out);
/* Drops the pending signals with this number. */
void pending_drop(int sig);
/* Returns the first signal pending for t that this mask does not block; 0: none. */
int pending_first(thread_id t, uint64_t mask);
/* The same with the mask of t: a handler is due. */
int pending_due(thread_id t);
/* Returns a signal that must be handled before t, the running thread, continues, since its arrival happens before that;
   0: there is none. */
int pending_overdue(thread_id t);
/* Informs the world for each thread whether a handler is due on it. */
void pending_inform(void);
/* Call it when a mask has changed. Chooses the threads for signals to the process again. */
void pending_retarget(void);

/* ---- signal_delivery.c ---- */

/* The scheduling point before the running thread handles sig. Signals that the handler will block can still arrive
   here, and another sig that is sent here is merged with this one. */
void delivery_point(int sig);
/* Runs the handlers that are due on the running thread, which was at a scheduling point just before. `suspended`: they
   interrupt an operation. Returns whether all of them restart it. */
bool delivery_run(bool suspended);

#endif
