/*
 * What libstdc++ initialises at the first use, without a lock, always to the same: tables of the classic locale's characters, and the fill character of
 * the standard streams. Threads that write them at the same time cannot tell; but each of their accesses would be an event.
 */
#ifndef SIMUL_LIBSTDCXX_H
#define SIMUL_LIBSTDCXX_H

#include <stdbool.h>

/* Looks for libstdc++ in the process. Inside simul, since the loader allocates memory when it looks for what is not there. */
bool libstdcxx_find(void);
/* Has that done now. After libstdcxx_find, before the program's main, outside of simul: as if main did it. */
void libstdcxx_settle(void);

#endif
