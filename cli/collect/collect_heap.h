/* The heap blocks that a recording mentions. */
#ifndef SIMUL_COLLECT_HEAP_H
#define SIMUL_COLLECT_HEAP_H

#include "cli/segment/segment.h"
#include "recorder/recording.h"
#include "recorder/symbols/symbols.h"

struct heap_low {
	uint64_t at, bytes;
};

/* Returns where the heap has blocks below 4 GB, as reported by the target. */
struct heap_low collect_heap_low(const struct segment *seg);

/* Registers the addresses of heap blocks with the symboliser. */
void collect_add_heap(struct symbols *s, const struct segment *seg);

/* Numbers the blocks in the order of the steps that access them or read their addresses. `memory`: descriptor of the stopped process's
   memory; -1: finds no blocks. */
void heap_blocks_number(const struct recording *r, struct symbols *s, struct heap_low low, int memory);

#endif
