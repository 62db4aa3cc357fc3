/* What a signal does to a process that has no handler for it. */
#ifndef SIMUL_SIGNAL_DEFAULT_H
#define SIMUL_SIGNAL_DEFAULT_H

#include <signal.h>
#include <stdbool.h>

/* Returns whether the default action is to do nothing. */
bool signal_default_ignores(int sig);
/* Returns whether a timer sent the signal. */
bool signal_is_timers(const siginfo_t *info);
/* Takes the default action: the process dies with a bug. Returns if the signal does not kill. Inside simul, in the thread that gets the signal. */
void signal_default(const siginfo_t *info);

#endif
