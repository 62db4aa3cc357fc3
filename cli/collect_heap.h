/* The blocks of the heap that a recording is about. */
#ifndef SIMUL_COLLECT_HEAP_H
#define SIMUL_COLLECT_HEAP_H

#include "recorder/recording.h"
#include "recorder/symbols.h"

/* Numbers them by the steps that access them or find their addresses. `memory`: the process's, which has stopped; -1: none are found. */
void heap_blocks_number(const struct recording *r, struct symbols *s, int memory);

#endif
