/*
 * Where the program has mapped memory itself. A synchronisation object may lie there and go with the mapping (object_memory.h). A range stays in
 * the table when it is unmapped: this only says which addresses need a look. Private memory.
 */
#ifndef SIMUL_MAPPED_RANGES_H
#define SIMUL_MAPPED_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* All ranges lie in [mapped_lo, mapped_hi). */
extern uint64_t mapped_lo, mapped_hi;

/* The program has mapped [lo, hi). */
void mapped_range_add(uint64_t lo, uint64_t hi);
/* For mapped_has. */
bool mapped_range_holds(uint64_t addr);

/* Returns whether the program has mapped this address. Costs a comparison in programs that map nothing. */
static inline bool mapped_has(uint64_t addr)
{
	return addr - mapped_lo < mapped_hi - mapped_lo && mapped_range_holds(addr);
}

#endif
