#ifndef SIMUL_ENFORCE_HOOK_SYSCALL_H
#define SIMUL_ENFORCE_HOOK_SYSCALL_H

/* Performs a system call of the program, by syscall() or an instruction. Returns what syscall() would, with errno. */
long syscall_of_program(long n, const long a[6]);

#endif
