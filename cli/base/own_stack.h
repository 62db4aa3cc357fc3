/* Runs simul on a stack of its own when the stack limit (ulimit -s), which is meant for the program, is small. */
#ifndef SIMUL_OWN_STACK_H
#define SIMUL_OWN_STACK_H

/* Calls f(argc, argv) on a stack that is large enough for simul and its libraries, and returns its result. libdw alone needs a few hundred
   kilobytes to read the lines of a large source file. The limit itself stays as it is. */
int own_stack_call(int (*f)(int, char **), int argc, char **argv);

#endif
