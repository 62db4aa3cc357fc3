/*
 * libgcc's unwinder. libc loads it at the first exit or cancellation of a thread. That would be in each execution, and an execution that
 * loads a library cannot be rewound (rewind.h).
 */
#ifndef SIMUL_UNWINDER_H
#define SIMUL_UNWINDER_H

/* Loads the unwinder now if a loaded module calls a function that needs it. Every process of a program loads it at this point, so addresses
   are equal in a search and in its replays. Once, in the constructor, while malloc is still libc's. */
void unwinder_ready(void);

#endif
