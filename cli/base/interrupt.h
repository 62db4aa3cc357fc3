/* Signals that ask simul to stop (Ctrl-C and others) and the end of child processes, as events that wake the supervisor. */
#ifndef SIMUL_INTERRUPT_H
#define SIMUL_INTERRUPT_H

#include <stdint.h>

/* Installs the handlers for SIGINT, SIGTERM, SIGHUP, SIGCHLD and SIGXFSZ (which does nothing), and ignores SIGPIPE. Call it once. */
void interrupt_init(void);

/* Returns how many times the user has asked to stop: 1: finish and report; 2 or more: stop immediately. */
int interrupt_count(void);

/* Marks the first request to stop as handled: the remaining work is short, and only another request stops it. */
void interrupt_heard(void);

/* Returns the last signal that asked to stop; 0: none. */
int interrupt_signal(void);

/* If the user asked more than once, ends simul as that signal would have ended it. Otherwise returns. */
void interrupt_obey(void);

/* Makes signals also increment this word, so that a futex wait on it, or a check just before one, notices them; NULL: none. Returns the
   previous word. */
uint32_t *interrupt_wake(uint32_t *word);

/* Call it in a forked child: restores the dispositions and the mask with which simul was started. */
void interrupt_reset_child(void);

#endif
