/*
 * Locks whose functions look at the word before they change it: a load, then a compare-and-swap from the value that it found (TAKES_AFTER_LOAD, GIVES_AFTER_LOAD in
 * base/runtimes.def). Both are one event here, a read-modify-write at the load. No other thread runs between them, so the compare-and-swap does not fail. That loses nothing if a failure
 * only makes the thread look again.
 *
 * A function that takes the lock waits at the load while the word has the value ONLY_AT. At other values what follows is explored as code.
 *
 * Some functions tell from the word whether threads wait (TELLS_WAITING). When a thread calls one of them, the search begins again, and the locks are explored as code.
 */
#ifndef SIMUL_LOCK_PAIRS_H
#define SIMUL_LOCK_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/accesses/mem.h"
#include "preload/memory/code_ranges.h"

extern struct code_ranges pair_takes, pair_gives, pair_tells;

/* Declares that a compare-and-swap of the same word follows the load at pc (preload/patch/pairs.c). Ignored if no function above has it. */
void lock_pair_add(uint64_t pc);
/* Returns whether there are such locks in this execution. */
bool lock_pairs_on(void);
/* The running thread is about to make the access, of visible memory. Returns true if its event was that of the load before. Otherwise *both is the access to announce. */
bool lock_pair_access(const struct mem_access *a, struct mem_access *both);
/* Returns who says that the access, which lock_pair_access has made one of both, takes a lock; 0: nobody. */
uint32_t lock_pair_takes(const struct mem_access *a);

#endif
