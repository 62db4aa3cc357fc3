/* Random bytes for the program, derived from the seed of the session. Each thread has its own stream, so the bytes that a thread gets do
   not depend on other threads. */
#ifndef SIMUL_RANDOM_H
#define SIMUL_RANDOM_H

#include <stddef.h>

/* Fills buf[0..n) with the next bytes of the running thread's stream. Call it between ctl_enter and ctl_leave. */
void random_fill(void *buf, size_t n);

#endif
