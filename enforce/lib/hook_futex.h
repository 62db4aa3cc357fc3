#ifndef SIMUL_ENFORCE_HOOK_FUTEX_H
#define SIMUL_ENFORCE_HOOK_FUTEX_H

/* Call it when the plan is known, before the program's own code runs. This library keeps the waiters itself if the plan has events on
   futexes; otherwise the kernel keeps them. */
void futex_init(void);

/* Performs the futex call of the program with these six arguments. Returns what syscall() would, with errno. */
long futex_of_program(const long a[6]);

#endif
