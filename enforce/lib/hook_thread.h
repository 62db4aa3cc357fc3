#ifndef SIMUL_HOOK_THREAD_H
#define SIMUL_HOOK_THREAD_H

/* Before the program registers anything of its own: what is registered first runs last. */
void threads_init(void);

/* How many threads have been created and have not ended, the first one included. */
unsigned threads_live(void);

#endif
