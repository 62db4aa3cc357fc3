/* The heap of the program (hook_malloc.c). */
#ifndef SIMUL_MALLOC_H
#define SIMUL_MALLOC_H

/* Makes blocks come from heap.h, if possible, as soon as the state is CTL_ON. Once, in the constructor. */
void heap_begin(void);

#endif
