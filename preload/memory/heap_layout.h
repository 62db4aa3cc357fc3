/* The header before each block of the heap (heap.c). Debugging tools find the blocks of a stopped process by it. */
#ifndef SIMUL_HEAP_LAYOUT_H
#define SIMUL_HEAP_LAYOUT_H

#include "preload/memory/heap.h"

#define HEAP_CLASSES 119u
#define HEAP_HEADER sizeof(struct heap_header)

enum { HEADER_LIVE = 0x11fe, HEADER_FREE = 0xf4ee, HEADER_MARK = 0xa5 };

/* The header lies before each block. A chunk is a piece of memory of a size class, including the header. */
struct heap_header {
	uint16_t state;
	uint8_t class;
	uint8_t mark;
	uint32_t shift; /* aligned blocks: distance from the header of the chunk, in units of 16 bytes */
	union {
		struct heap_header *next; /* the next free chunk, in a free chunk */
		uint32_t size;            /* in a live block: the bytes that were requested */
	};
};
_Static_assert(sizeof(struct heap_header) == HEAP_ALIGN, "blocks stay aligned");

/* Returns the size of a chunk of this class: 32, 48 .. 512 bytes, then four sizes for each power of two. */
static inline uint64_t heap_class_bytes(unsigned class)
{
	if (class < 31)
		return (class + 2) * UINT64_C(16);
	unsigned e = 9 + (class - 31) / 4, quarter = (class - 31) % 4;
	return (UINT64_C(1) << e) + ((quarter + UINT64_C(1)) << (e - 2));
}

#endif
