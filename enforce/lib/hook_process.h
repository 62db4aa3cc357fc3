#ifndef SIMUL_ENFORCE_HOOK_PROCESS_H
#define SIMUL_ENFORCE_HOOK_PROCESS_H

/* The running thread is about to call vfork. Returns libc's vfork. */
void *vfork_allowed(void);

#endif
