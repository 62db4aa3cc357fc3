/* How threads end, and threads that began before control did (hook_thread.c). */
#ifndef SIMUL_THREADS_H
#define SIMUL_THREADS_H

#include "preload/base/thread.h"

/* Ends a thread whose start routine has returned or was unwound: destructors, keys, THREAD_EXIT. */
void thread_end(struct fiber *f) __attribute__((noreturn));

/* Ends the session if constructors of libraries have started threads that still run: these are not controlled, and the
   processes of the executions, which are forks, do not have them. Call it when control begins. */
void threads_refuse_earlier(void);

#endif
