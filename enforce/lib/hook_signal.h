#ifndef SIMUL_ENFORCE_HOOK_SIGNAL_H
#define SIMUL_ENFORCE_HOOK_SIGNAL_H

#include <stdbool.h>
#include <sys/types.h>

/* The running thread sends a signal by a system call that the program makes itself. Returns true if it is an event of
   the prefix: then the call must not be made, and has succeeded. */
bool signal_to_thread(pid_t thread, int sig);
void signal_to_process(pid_t to, int sig);

#endif
