/*
 * What libstdc++ initializes at its first use: tables of the classic locale's characters, and the fill character of the standard streams.
 * It does so without a lock, always to the same values. Threads that write them at the same time do no harm, but each of their accesses
 * would be an event. So simul has that done before main.
 */
#ifndef SIMUL_LIBSTDCXX_H
#define SIMUL_LIBSTDCXX_H

#include <stdbool.h>

/* Looks for libstdc++ in the process. Called inside simul, because the loader allocates memory when it finds nothing. */
bool libstdcxx_find(void);
/* Initializes them, as if main did it. Called after libstdcxx_find, before the program's main, outside simul. */
void libstdcxx_settle(void);

#endif
