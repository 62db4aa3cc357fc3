/* Thread-specific data (hook_key.c). */
#ifndef SIMUL_KEYS_H
#define SIMUL_KEYS_H

#include "sched/ids.h"

/* Ends control of the keys in this process: in the native child of a fork, or where simul takes no control. From then on each kernel thread
   has its own values. The calling thread keeps its values. A second call does nothing. */
void keys_become_native(void);

/* Run the thread_local destructors, and the destructors of pthread keys, of a thread that ends, on its own stack. */
void tls_dtors_run(thread_id t);
void keys_run_destructors(thread_id t);

#endif
