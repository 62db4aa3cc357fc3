#ifndef SIMUL_HOOK_THREAD_H
#define SIMUL_HOOK_THREAD_H

/* Registers the functions that run when a thread or the process ends. Call it before the program registers exit handlers, because the
   first function registered runs last. */
void threads_init(void);

/* Returns how many threads have been created and have not ended, the first thread included. */
unsigned threads_live(void);

#endif
