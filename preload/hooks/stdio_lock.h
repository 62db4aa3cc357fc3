/* Locks of streams (hook_stdio_lock.c). */
#ifndef SIMUL_STDIO_LOCK_H
#define SIMUL_STDIO_LOCK_H

#include <stdbool.h>
#include <stdio.h>

/* Returns whether the running thread holds the stream by flockfile. */
bool stream_is_mine(const void *stream);
/* Waits while another thread holds the stream by flockfile. */
void stream_await(FILE *stream, const void *pc);

#endif
