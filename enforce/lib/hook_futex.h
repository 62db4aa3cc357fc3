#ifndef SIMUL_ENFORCE_HOOK_FUTEX_H
#define SIMUL_ENFORCE_HOOK_FUTEX_H

/* The plan is known: decides whose queues of waiters are used. Before the program's own code. */
void futex_init(void);

#endif
