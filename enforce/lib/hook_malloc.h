#ifndef SIMUL_ENFORCE_HOOK_MALLOC_H
#define SIMUL_ENFORCE_HOOK_MALLOC_H

#include <stdint.h>

/* From now on blocks come from preload/memory/heap.h, when the certificate names some. Once, before the program's own code. */
void heap_begin(void);

/* The running thread allocates as this one of the plan; PLAN_NONE: libc allocates for it. */
void heap_thread(uint32_t thread);

#endif
