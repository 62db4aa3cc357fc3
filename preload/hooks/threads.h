/* How threads end (hook_thread.c). */
#ifndef SIMUL_THREADS_H
#define SIMUL_THREADS_H

#include "preload/base/thread.h"

/* Ends a thread whose start routine has returned or was unwound: destructors, keys, THREAD_EXIT. */
void thread_end(struct fiber *f) __attribute__((noreturn));

#endif
