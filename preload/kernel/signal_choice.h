/*
 * Signals to the process for which an execution could have chosen another thread.
 *
 * The kernel prefers the main thread. If that blocks the signal at some time, and two threads do not block it at some time, the choice depends
 * on the order of mask changes, ends of threads and the signal. These orders are not explored, so the verdict says so.
 */
#ifndef SIMUL_SIGNAL_CHOICE_H
#define SIMUL_SIGNAL_CHOICE_H

#include <stdint.h>

#include "sched/ids.h"

/* Call it when a thread gets a mask: when it is created, creates a thread, or changes the mask; not for the mask of a handler. */
void signal_choice_mask(thread_id t, uint64_t mask);
/* Call it when a thread begins to run a handler with this mask. */
void signal_choice_handler(thread_id t, uint64_t mask);
/* Call it when a thread or a timer sends a signal with a handler to the process. */
void signal_choice_sent(int sig);

#endif
