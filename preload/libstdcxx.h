/*
 * What libstdc++ initialises at the first use, without a lock, always to the same: tables of the classic locale's characters, and the fill character of
 * the standard streams. Threads that write them at the same time cannot tell; but each of their accesses would be an event.
 */
#ifndef SIMUL_LIBSTDCXX_H
#define SIMUL_LIBSTDCXX_H

/* Has it done now, if the program uses libstdc++. Before the program's main, as if that did it. */
void libstdcxx_settle(void);

#endif
