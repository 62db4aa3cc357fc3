/* What lies before each block of the heap (heap.c): whoever looks at the memory of a process that has stopped finds blocks by it. */
#ifndef SIMUL_HEAP_LAYOUT_H
#define SIMUL_HEAP_LAYOUT_H

#include "preload/memory/heap.h"

#define HEAP_CLASSES 119u
#define HEAP_HEADER sizeof(struct heap_header)

enum { HEADER_LIVE = 0x11fe, HEADER_FREE = 0xf4ee, HEADER_MARK = 0xa5 };

struct heap_header {
	uint16_t state;
	uint8_t class;
	uint8_t mark;
	uint32_t shift; /* how far it lies behind the header of its chunk, in units of 16 bytes: aligned blocks */
	union {
		struct heap_header *next; /* of a free chunk */
		uint32_t size;            /* of a live block: the bytes that were asked for */
	};
};
_Static_assert(sizeof(struct heap_header) == HEAP_ALIGN, "blocks stay aligned");

/* Chunks, with their headers: of 32, 48 .. 512 bytes, then four sizes from one power of two to the next. */
static inline uint64_t heap_class_bytes(unsigned class)
{
	if (class < 31)
		return (class + 2) * UINT64_C(16);
	unsigned e = 9 + (class - 31) / 4, quarter = (class - 31) % 4;
	return (UINT64_C(1) << e) + ((quarter + UINT64_C(1)) << (e - 2));
}

#endif
