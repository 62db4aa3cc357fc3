/* Whether the stacks of threads must be executable, as glibc decides it for the stacks that it makes itself. */
#ifndef SIMUL_STACK_PROTECTION_H
#define SIMUL_STACK_PROTECTION_H

/*
 * Returns the protection (PROT_*) of the stacks of threads: executable if the program, or a library that is or was loaded when this was called,
 * asks for it (PT_GNU_STACK). Nested functions of GNU C need that: their trampolines lie on the stack. Inside simul.
 */
int stack_protection(void);

#endif
