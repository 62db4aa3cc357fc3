/* Locks of streams (hook_stdio_lock.c). */
#ifndef SIMUL_STDIO_LOCK_H
#define SIMUL_STDIO_LOCK_H

#include <stdbool.h>
#include <stdio.h>

/* Returns whether the running thread holds the stream by flockfile. */
bool stream_is_mine(const void *stream);
/* Call it before a call on the stream that takes the stream's lock: waits while another thread holds the stream by
   flockfile. Returns whether stream_release must follow the call. */
bool stream_share(FILE *stream, const void *pc);
void stream_release(FILE *stream, const void *pc);

#endif
