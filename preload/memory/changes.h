/*
 * Calls that changed what is mapped, or replaced the content of memory. Such a call counts as a write of all its bytes. The shadow records it
 * for the words that some thread has accessed. For all others it is an entry here, since a mapping may be large. A word's first access afterwards
 * puts the write into its record.
 *
 * The table is small. If it is full, two entries of one thread become one that covers both and what lies between them: that may make bytes visible
 * needlessly, but hides nothing. It is private memory: each execution starts with an empty table.
 */
#ifndef SIMUL_CHANGES_H
#define SIMUL_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

#pragma GCC visibility push(hidden)
/* Whether there is an entry. */
extern bool changes_any;
/* What the next change does; two changes of the same bytes that do the same commute. 0: it commutes with none. */
extern uint32_t changes_what;
#pragma GCC visibility pop

/* Adds a change of [lo, hi) that thread t made in this epoch. If an unordered change of another thread overlaps it, their first common bytes
   become visible. */
void changes_add(uint64_t lo, uint64_t hi, thread_id t, uint32_t epoch);
/* Makes *r, the record of a word without accesses, hold the changes of the word at this address. */
void changes_put(uint64_t *r, uint64_t word);
/* Forgets the changes of [lo, hi): the memory is new. */
void changes_forget(uint64_t lo, uint64_t hi);

#endif
