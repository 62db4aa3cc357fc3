/* Locks of known runtimes and of the user (--lock), found by the names of their functions. See preload/memory/lock_sites.h. */
#ifndef SIMUL_RUNTIMES_H
#define SIMUL_RUNTIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/lock_op.h"

/* Reads the symbols of a module before it is patched: its file, and the address where it is loaded. */
void runtimes_read(const char *path, uint64_t base);
/* A function of a lock in a library whose other code is not seen, as base/runtimes.def says. */
struct lock_function {
	uint64_t lo, hi;
	uint32_t owner;
	enum lock_role { LOCK_TAKES, LOCK_SEEN, LOCK_CALLS, LOCK_WITHIN, LOCK_ALL_TAKE, LOCK_ALL_GIVE } role;
};
#define MOST_LOCK_FUNCTIONS 64u
/* Finds these functions in the library's file, each once for a role. Returns their number. */
unsigned runtimes_locks_of(const char *path, uint64_t base, struct lock_function to[MOST_LOCK_FUNCTIONS]);
/* Returns whether the instruction at pc is hooked; it is not if its function is left out. */
bool runtimes_wanted(uint64_t pc);
/* Returns who says that the function at this address waits for a lock; 0: nobody. *until: see struct patch_config. */
uint32_t runtimes_waits(uint64_t addr, bool *until);
/* Returns which slow part of an operation the function at this address is. See struct patch_config. */
enum lock_slow_part runtimes_slow_part(uint64_t addr, uint32_t *owner);
/* The same as runtimes_waits for a function of another module. */
uint32_t runtimes_waits_named(const char *name, bool *until);

#endif
