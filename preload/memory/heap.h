/*
 * The heap that the program uses under control. The address of a block depends only on the past of the thread that allocates it.
 *
 * This is needed because the search names objects in memory by their addresses. In libc's heap the address of a block depends on the
 * earlier allocations of other threads, whose order no thread can observe. So two executions of the same trace would give the same objects
 * different names. Therefore every thread has its own heap, at a place that follows from its spawn path. A freed block goes to the thread
 * that frees it, whichever thread allocated it. The frees of a thread are part of its past, so they determine the address of its next block
 * too.
 *
 * While the program's use of blocks is checked (blocks.h), a freed block waits before it is allocated again. simul notices that the program
 * still uses a freed block only while the block has no new owner.
 *
 * The heap has size classes and never joins blocks: memory of one class stays in that class. Large freed blocks give their pages back to
 * the kernel.
 *
 * One thread runs at a time, so there are no locks. Native children must not use this heap.
 */
#ifndef SIMUL_HEAP_H
#define SIMUL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/ids.h"

#define HEAP_ALIGN 16u
#define HEAP_MAX (UINT64_C(1) << 31) /* libc allocates larger blocks */

/* Blocks lie in [HEAP_LO, HEAP_HI), a range that neither loaders nor the kernel choose for mappings. In a program that was linked at a
   fixed address (-no-pie) the first thread's blocks lie below 4 GB, like libc's brk heap, because some such programs keep pointers in 32
   bits. */
#define HEAP_LO UINT64_C(0x110000000000)
#define HEAP_HI UINT64_C(0x220000000000)

extern uintptr_t heap_low_at, heap_low_bytes; /* the place below 4 GB for blocks of the first thread; 0 bytes: there is none */
#define HEAP_MAPPED (HEAP_LO + (UINT64_C(1) << 32) * (1 + MAX_THREADS)) /* end of the blocks; mappings of threads (heap_place) lie from here on */

/* Returns whether the address is in a place for blocks. */
static inline bool heap_owns(const void *p)
{
	return (uintptr_t)p - HEAP_LO < HEAP_HI - HEAP_LO || (uintptr_t)p - heap_low_at < heap_low_bytes;
}

/* Prepares the heaps. Called once, in the constructor. Returns false if the addresses are in use. */
bool heap_init(const struct thread_names *names);

/* Gives the first n threads their places. After that these threads may allocate and free concurrently. */
void heap_place_threads(thread_id n);

/* Allocates a block of at least `size` bytes for thread t, aligned to `align` (a power of two). *fresh: the block was never used before,
   and is zero. Returns NULL when it is too large or no memory is left; the caller may then ask libc. */
void *heap_alloc(thread_id t, size_t size, size_t align, bool *fresh);

/* While the pause is on, heap_alloc returns NULL. Used while libc creates a thread: the size of a thread's table of thread-local storage
   depends on the loaded libraries, and simul loads one more library when it records stacks (stack.c). That must not change the addresses of
   the program's blocks. */
void heap_pause(bool on);

/* What a pointer points to. */
enum heap_state {
	HEAP_LIVE = 1,
	HEAP_FREED,
	HEAP_UNKNOWN, /* no block starts here, or its header was overwritten */
};
/* Returns what p points to. p need not be valid, but the memory of its header must be readable. */
enum heap_state heap_check(const void *p);

/* For live blocks only. */
size_t heap_capacity(const void *p); /* the largest size that the block can have, in bytes */
size_t heap_size(const void *p);     /* bytes that were requested */
void heap_set_size(const void *p, size_t size); /* changes heap_size, at most to heap_capacity; for realloc and malloc_usable_size */
void heap_free(thread_id t, void *p); /* gives the memory to thread t; overwrites its first bytes */

/* Makes freed blocks wait from now on. Called once, before the first block is freed. */
void heap_let_wait(void);

/* Zeroes `size` bytes of a block that heap_alloc returned and that is not fresh. */
void heap_zero(void *p, size_t size);

/* Processes that start from one checkpoint share a record of how far heaps grow. Call heap_share before the first process is forked, and
   heap_prepare before each one: it maps the memory that heaps needed in an earlier process. */
void heap_share(void);
void heap_prepare(void);

/* Returns an address at which thread t can map `size` bytes; 0 when there is no room left. Never returns the same memory twice. */
uint64_t heap_place(thread_id t, uint64_t size);

#endif
