#ifndef SIMUL_HOOK_THREAD_H
#define SIMUL_HOOK_THREAD_H

#include <pthread.h>
#include <stdint.h>

/* Registers the functions that run when a thread or the process ends. Call it before the program registers exit handlers, because the
   first function registered runs last. */
void threads_init(void);

/* Returns the plan's index of a thread that was not joined; PLAN_NONE: the plan does not know it. */
uint32_t thread_number(pthread_t t);

/* Returns how many threads have been created and have not ended, the first thread included. */
unsigned threads_live(void);

#endif
