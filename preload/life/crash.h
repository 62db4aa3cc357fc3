/* Fatal signals. */
#ifndef SIMUL_CRASH_H
#define SIMUL_CRASH_H

#include <signal.h>

/* Installs the handlers of fatal signals. Once, in the constructor. */
void crash_init(void);
/* Reports a crash, for a fatal signal that the program got. Returns only when a handler of the program ran instead. */
void crash_signal(int sig, siginfo_t *si, void *ucontext);

#endif
