/*
 * The heap that the program gets while it is under control: where a block lies follows from the past of the thread
 * that asked for it, and from nothing else.
 *
 * Objects in memory are known to the search by their addresses. With libc's heap the address of a block depends on what
 * other threads happened to allocate and free before, though none of that is an operation that threads can observe;
 * two executions of the same trace would call the same things by different names. So every thread has a heap of
 * its own, at a place that follows from its spawn path; a block that is freed goes to the thread that frees it,
 * whoever made it. What a thread frees is part of its past, so the address of its next block is too.
 *
 * While the program's use of blocks is checked (blocks.h) a freed block waits before it is handed out again: the program
 * may still use it, and that is only noticed as long as nobody else has it.
 *
 * The heap knows sizes in classes and never joins blocks: memory that was used for one class is not used for another.
 * Large blocks that are freed give their pages back to the kernel.
 *
 * One thread runs at a time, so there are no locks; native children must not come here.
 */
#ifndef SIMUL_HEAP_H
#define SIMUL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/ids.h"

#define HEAP_ALIGN 16u
#define HEAP_MAX (UINT64_C(1) << 31) /* larger blocks are libc's */

/* What heap_alloc returns lies in [HEAP_LO, HEAP_HI), which no loader or kernel uses of its own accord. Of a program that was linked at
   a fixed address (-no-pie) the first thread's blocks lie below 4 GB, as libc's brk heap would: some keep pointers in 32 bits. */
#define HEAP_LO UINT64_C(0x110000000000)
#define HEAP_HI UINT64_C(0x220000000000)

extern uintptr_t heap_low_at, heap_low_bytes; /* there; no bytes: nowhere */
#define HEAP_MAPPED (HEAP_LO + (UINT64_C(1) << 32) * (1 + MAX_THREADS)) /* blocks lie below, what threads map (heap_place) from here on */

static inline bool heap_owns(const void *p)
{
	return (uintptr_t)p - HEAP_LO < HEAP_HI - HEAP_LO || (uintptr_t)p - heap_low_at < heap_low_bytes;
}

/* Once, in the constructor. false: there is no room for it where it must lie. */
bool heap_init(const struct thread_names *names);

/* Gives the first n threads their places. After that each of them may allocate and free while others do. */
void heap_place_threads(thread_id n);

/* A block of at least `size` bytes for thread t, aligned to `align` (a power of two). *fresh: it was never used before, and is
   zero. NULL: too large, or no memory left; libc may be asked. */
void *heap_alloc(thread_id t, size_t size, size_t align, bool *fresh);

/* While it is on, heap_alloc returns NULL. For what libc allocates on behalf of a thread that it makes: its table of
   thread-local storage has an entry for each library that has some, and simul loads one more of those where it keeps
   stacks (stack.c). Nothing of the program may lie elsewhere for that. */
void heap_pause(bool on);

enum heap_state {
	HEAP_LIVE = 1,
	HEAP_FREED,   /* freed before */
	HEAP_UNKNOWN, /* no block starts here, or what is kept before it was overwritten */
};
enum heap_state heap_check(const void *p);

/* For live blocks only. */
size_t heap_capacity(const void *p); /* bytes that may be used */
size_t heap_size(const void *p);     /* bytes that were asked for */
void heap_set_size(const void *p, size_t size); /* at most heap_capacity; for realloc and malloc_usable_size */
void heap_free(thread_id t, void *p); /* its next owner is t; its first bytes are overwritten */

/* From now on freed blocks wait. Once, before the first block is freed. */
void heap_let_wait(void);

/* Zeroes what heap_alloc returned: `size` bytes of a block that was used before. */
void heap_zero(void *p, size_t size);

/* What processes that start from one checkpoint learn from each other: how far heaps grow. heap_share before the first of
   them is forked; heap_prepare before each: heaps that have grown in one find the memory in the next. */
void heap_share(void);
void heap_prepare(void);

/* Where thread t should map `size` bytes when it does not care; 0 when there is no room left. Never the same twice. */
uint64_t heap_place(thread_id t, uint64_t size);

#endif
