/*
 * Which SystemC process holds which sc_mutex. Accesses of two processes that hold the same mutex are no race.
 *
 * An sc_mutex does not count: one unlock frees it, however often its owner has locked it.
 */
#ifndef SIMUL_SYSTEMC_LOCKS_H
#define SIMUL_SYSTEMC_LOCKS_H

#include <stdint.h>

/* Returns the set of mutexes that the process holds; UINT64_MAX if the execution has locked more mutexes than the set
   has bits. Call it inside simul. */
uint64_t locks_held(const void *process);

#endif
