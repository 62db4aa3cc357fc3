/*
 * Which pages are one memory: finds the ranges of memory/aliases.h. Each page of a file that is mapped with MAP_SHARED has one home, the mapping
 * that showed it first. Later mappings of the page get the keys of its home.
 *
 * Which mapping is the first may depend on the order of threads. For mmap this order is explored (the calls change a resource of the file). For shmat and
 * mremap it is not, so the verdict names it (EXCEPT_MAPPED_TWICE).
 *
 * When a mapping is removed after the checkpoint, its pages stay in the tables: simul gives out no address twice, and what threads did there still counts.
 * If something else is mapped over it, the tables forget it, and the verdict names that too if several threads live.
 */
#ifndef SIMUL_SHARED_PAGES_H
#define SIMUL_SHARED_PAGES_H

#include <stdbool.h>
#include <stdint.h>

struct mapping;

/* The tables have something. */
extern bool pages_any;

/* [lo, hi) of this mapping, which is shared and of a file, is new. `ordered`: the search explores the order of this call and others that map the
   file. pc: the return address of the call. */
void pages_mapped(const struct mapping *m, uint64_t lo, uint64_t hi, bool ordered, uint64_t pc);
/* Returns whether the tables have the pages of this mapping at [lo, hi) already: what was there is the same memory. */
bool pages_are(const struct mapping *m, uint64_t lo, uint64_t hi);
/* Something else will be mapped at [lo, hi), or nothing before the checkpoint. */
void pages_replaced(uint64_t lo, uint64_t hi, uint64_t pc);
/* Returns whether this page of a shared mapping is in the tables. */
bool pages_known(uint64_t addr);

#endif
