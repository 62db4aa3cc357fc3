/* Thread-specific data (hook_key.c). ctl.h declares what runs at the end of a thread. */
#ifndef SIMUL_KEYS_H
#define SIMUL_KEYS_H

/* Ends control of the keys in this process: in the native child of a fork, or where simul takes no control. From then on each kernel thread
   has its own values. The calling thread keeps its values. A second call does nothing. */
void keys_become_native(void);

#endif
