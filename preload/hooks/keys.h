/* Thread-specific data; see hook_key.c. What the core calls at the end of a thread is in ctl.h. */
#ifndef SIMUL_KEYS_H
#define SIMUL_KEYS_H

/* Control ends in this process (a native child of a fork, or no control after all): from now on each kernel
   thread has its own values; the calling one keeps those it has. Idempotent. */
void keys_become_native(void);

#endif
