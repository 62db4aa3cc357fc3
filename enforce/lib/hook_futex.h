#ifndef SIMUL_ENFORCE_HOOK_FUTEX_H
#define SIMUL_ENFORCE_HOOK_FUTEX_H

/* Call it when the plan is known, before the program's own code runs. This library keeps the waiters itself if the plan has events on
   futexes; otherwise the kernel keeps them. */
void futex_init(void);

#endif
