/* simul's own stack, where the limit on stacks (ulimit -s) that is meant for the program is small. */
#ifndef SIMUL_OWN_STACK_H
#define SIMUL_OWN_STACK_H

/* Calls f(argc, argv) with a stack that is large enough for everything that simul and its libraries do, and returns what it returns. libdw alone
   takes a few hundred kilobytes for the lines of a large source. The limit stays as it is. */
int own_stack_call(int (*f)(int, char **), int argc, char **argv);

#endif
