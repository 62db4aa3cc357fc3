/*
 * What libstdc++ initializes at its first use: tables of the classic locale's characters, and the fill character of the standard streams.
 * libstdc++ takes no lock, and always writes the same values. So threads may write them at the same time without harm, but each access
 * would be an event. Therefore simul makes libstdc++ initialize them before main.
 */
#ifndef SIMUL_LIBSTDCXX_H
#define SIMUL_LIBSTDCXX_H

#include <stdbool.h>

/* Looks for libstdc++ in the process. Called inside simul, because the loader allocates memory when it finds nothing. */
bool libstdcxx_find(void);
/* Initializes these tables, as if main did it. Called after libstdcxx_find, before the program's main, outside simul. */
void libstdcxx_settle(void);

#endif
