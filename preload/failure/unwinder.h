/*
 * libgcc's unwinder. libc loads it when a thread first exits or is cancelled. That would happen in each execution, and an execution that
 * loads a library cannot be rewound (rewind.h).
 */
#ifndef SIMUL_UNWINDER_H
#define SIMUL_UNWINDER_H

/* Loads it now if a loaded module calls a function that needs it. Every process of a program does the same, so addresses are equal in a
   search and in its replays. Once, in the constructor, while malloc is still libc's. */
void unwinder_ready(void);

#endif
