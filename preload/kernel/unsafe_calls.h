/*
 * Signal handlers that call functions which are not async-signal-safe.
 *
 * simul runs a handler before or after a call of libc, never in its middle. On a processor it can also run in the middle of malloc or printf. If
 * the handler then calls such a function as well, it can find a lock taken or a list half changed. So the verdict says so when a thread called
 * such functions itself, and a signal of another thread or a timer interrupted it with a handler that called one too.
 */
#ifndef SIMUL_UNSAFE_CALLS_H
#define SIMUL_UNSAFE_CALLS_H

#include <stdint.h>

/* Call it before a function that is not async-signal-safe. Not inside simul. pc: return address of the call; 0: unknown. */
void unsafe_call(uint64_t pc);

#endif
