#ifndef SIMUL_HOOK_THREAD_H
#define SIMUL_HOOK_THREAD_H

/* Registers what runs when a thread or the process ends. Call it before the program registers exit handlers: the first one registered runs
   last. */
void threads_init(void);

/* How many threads have been created and have not ended, the first one included. */
unsigned threads_live(void);

#endif
