/* Locks of known runtimes and of the user (--lock), found by the names of their functions. See preload/memory/lock_sites.h. */
#ifndef SIMUL_RUNTIMES_H
#define SIMUL_RUNTIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the symbols of a module before it is patched: its file, and the address where it is loaded. */
void runtimes_read(const char *path, uint64_t base);
/* Returns whether the instruction at pc is hooked; it is not if its function is left out. */
bool runtimes_wanted(uint64_t pc);
/* Returns who says that the function at this address waits for a lock; 0: nobody. */
uint32_t runtimes_waits(uint64_t addr);

#endif
