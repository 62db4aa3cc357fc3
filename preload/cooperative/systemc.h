/*
 * Unmodified SystemC programs: the search chooses the process that runs next in each evaluate phase.
 *
 * The standard lets any runnable process be next; SystemC's kernel always takes methods first, then threads, in the order in which they
 * became runnable. docs/cooperative.md describes what users see.
 */
#ifndef SIMUL_SYSTEMC_H
#define SIMUL_SYSTEMC_H

/* Looks for libsystemc when the program starts. If the program opens the library with dlopen, simul finds it later. */
void systemc_init(void);

#endif
