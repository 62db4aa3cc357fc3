/* What executions found that decides which operations are visible, and how much of it the search takes into account. A search that does not know
   the latest restarts. Children of fork write to it too. */
#ifndef SIMUL_SESSION_DISCOVERIES_H
#define SIMUL_SESSION_DISCOVERIES_H

#include <stdint.h>

#include "base/session/limits.h"

struct session_discoveries {
	uint32_t fork_sees, applied_fork_sees; /* 1: a child of fork looks at what other threads change; and the search takes that into account */
	uint32_t applied_child_reads; /* value of session_child_reads.changes that the search uses */
	uint32_t applied_memory, applied_awaits; /* values of memory_table.changes and await_table.changes that the search uses */
	uint32_t regions, applied_regions; /* enum region_bits: the kinds of regions that the program has used, and those that the search takes into account */
	uint32_t regions_begun;       /* regions begun in this search */
	uint32_t regions_before;      /* regions begun before the first execution */
	uint32_t calls_refused;       /* 1: calls are to be explored as code: one waited for another (preload/control/whole_calls.h); also of another worker */
	uint32_t applied_calls_refused; /* the value that the search uses */
	/* 1: a SystemC program sees the order of a module's children (systemc_children.c) */
	uint32_t children_listed, applied_children_listed;
	uint32_t applied_watched; /* value of session_races.watched that the search uses */
	_Alignas(8) uint8_t limits[SESSION_LIMITS]; /* struct rounds_limits: which waiting loops have a limit */
	_Alignas(8) uint8_t endless_limits[SESSION_ENDLESS]; /* struct endless_limits: which threads never end */
};

#endif
