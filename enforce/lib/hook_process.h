#ifndef SIMUL_ENFORCE_HOOK_PROCESS_H
#define SIMUL_ENFORCE_HOOK_PROCESS_H

#include <sys/types.h>

/* The running thread is about to send a signal, by a system call that the program makes itself. */
void process_signals_thread(pid_t thread);
void process_signals(pid_t to, int sig);

/* The running thread is about to call vfork. Returns libc's vfork. */
void *vfork_allowed(void);

#endif
