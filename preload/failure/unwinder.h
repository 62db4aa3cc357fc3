/*
 * libgcc's unwinder, which libc loads when a thread exits or is cancelled for the first time. That would happen in each
 * execution anew, and an execution that loads a library cannot be rewound (rewind.h).
 */
#ifndef SIMUL_UNWINDER_H
#define SIMUL_UNWINDER_H

/* Has it loaded now, where any loaded module calls what needs it. The same in every process of a program, so memory lies the same way in
   a search and in its replays. Once, in the constructor, as long as malloc is libc's. */
void unwinder_ready(void);

#endif
