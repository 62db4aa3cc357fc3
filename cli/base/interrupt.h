/* Ctrl-C and friends, and the end of child processes, as events that wake the supervisor. */
#ifndef SIMUL_INTERRUPT_H
#define SIMUL_INTERRUPT_H

#include <stdint.h>

/* Installs the handlers (SIGINT, SIGTERM, SIGHUP, SIGCHLD, and SIGXFSZ, which does nothing; SIGPIPE is ignored). Once. */
void interrupt_init(void);

/* How many times the user has asked to stop: 1 = finish and report, 2 or more = stop at once. */
int interrupt_count(void);

/* The first request to stop was heard: what is left to do is short, and only another request stops it. */
void interrupt_heard(void);

/* The last signal that asked to stop; 0 = none. */
int interrupt_signal(void);

/* When the user insisted: ends simul as the signal would have ended it. Otherwise returns. */
void interrupt_obey(void);

/* From now on signals also bump this word, so that a futex wait on it (or a check just before one)
   notices; NULL: none. Returns the word set before. */
uint32_t *interrupt_wake(uint32_t *word);

/* In a forked child: back to the dispositions and the mask that simul was started with. */
void interrupt_reset_child(void);

#endif
