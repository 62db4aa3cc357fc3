/* The blocks of the heap that a recording is about. */
#ifndef SIMUL_COLLECT_HEAP_H
#define SIMUL_COLLECT_HEAP_H

#include "cli/segment/segment.h"
#include "recorder/recording.h"
#include "recorder/symbols.h"

struct heap_low {
	uint64_t at, bytes;
};

/* Where blocks lie below 4 GB, as the target says. */
struct heap_low collect_heap_low(const struct segment *seg);

/* Tells the symbols where blocks lie. */
void collect_add_heap(struct symbols *s, const struct segment *seg);

/* Numbers them by the steps that access them or find their addresses. `memory`: the process's, which has stopped; -1: none are found. */
void heap_blocks_number(const struct recording *r, struct symbols *s, struct heap_low low, int memory);

#endif
