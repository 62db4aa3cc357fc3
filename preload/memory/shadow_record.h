/*
 * The compact form of a word's record (shadow_table.h). It suffices for most words: one thread accesses the word at a time, or one thread
 * writes it and another reads it later:
 *
 *	bits  0- 7  bytes written    16-30  in which epoch    46-53  by which thread
 *	bits  8-15  bytes read       31-45  in which epoch    54-61  by which thread
 *
 * (Epochs: sched/hb.h.) All zero means that the word was never accessed. Two bits mark the other forms:
 *
 * - READERS: several threads have read the same bytes, and no thread wrote any. Bits 0-31 are a set of readers (sched/readers.h), bits
 *   32-39 the bytes.
 * - LISTED: anything else. Bits 0-31 are the head of a list of accesses (sched/history.h), which is exact as well. Bits 32-39 are the
 *   visible bytes, whose accesses are events.
 */
#ifndef SIMUL_SHADOW_RECORD_H
#define SIMUL_SHADOW_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/history.h"
#include "sched/ids.h"

#define WRITE_SHIFT 0
#define READ_SHIFT 8
#define WRITE_EPOCH 16
#define READ_EPOCH 31
#define WRITE_THREAD 46
#define READ_THREAD 54
#define EPOCHS (UINT64_C(1) << 15)
#define THREADS (UINT64_C(1) << 8)
#define LISTED (UINT64_C(1) << 62)
#define READERS (UINT64_C(1) << 63)
#define BYTES_SHIFT 32
#define KIND (UINT64_C(3) << 62)
#define WRITE_KEY (KIND | (EPOCHS - 1) << WRITE_EPOCH | (THREADS - 1) << WRITE_THREAD)
#define READ_KEY (KIND | (EPOCHS - 1) << READ_EPOCH | (THREADS - 1) << READ_THREAD)
#define WRITE_PART (WRITE_KEY & ~KIND)
#define READ_PART (READ_KEY & ~KIND)
#define NO_KEY KIND /* no record has both bits */

/* Returns the visible bytes of a record of any form. */
static inline unsigned shared_bytes(uint64_t x)
{
	return x & LISTED ? (x >> BYTES_SHIFT) & 0xff : 0;
}

/* Returns the field of n values (a power of two) that begins at bit `shift`. */
static inline unsigned field(uint64_t x, unsigned shift, uint64_t n)
{
	return (unsigned)(x >> shift & (n - 1));
}

/* Returns a compact record of one access, in which the half for the other kind of access is 0. */
static inline uint64_t part(unsigned bytes, uint32_t epoch, thread_id t, bool write)
{
	return write ? (uint64_t)bytes << WRITE_SHIFT | (uint64_t)epoch << WRITE_EPOCH | (uint64_t)t << WRITE_THREAD
		     : (uint64_t)bytes << READ_SHIFT | (uint64_t)epoch << READ_EPOCH | (uint64_t)t << READ_THREAD;
}

/* Returns whether a compact record has room for this thread and epoch. */
static inline bool fits(thread_id t, uint32_t epoch)
{
	return t < THREADS && epoch < EPOCHS;
}

/* Returns the write that a compact record holds; its bytes are 0 when there is none. */
static inline struct past past_write(uint64_t x)
{
	return (struct past){ .bytes = (uint8_t)field(x, WRITE_SHIFT, 256), .epoch = field(x, WRITE_EPOCH, EPOCHS),
		.thread = (thread_id)field(x, WRITE_THREAD, THREADS), .flags = PAST_WRITE };
}

/* Returns the read that a compact record holds; its bytes are 0 when there is none. */
static inline struct past past_read(uint64_t x)
{
	return (struct past){ .bytes = (uint8_t)field(x, READ_SHIFT, 256), .epoch = field(x, READ_EPOCH, EPOCHS),
		.thread = (thread_id)field(x, READ_THREAD, THREADS), .flags = PAST_READ };
}

/* Returns the bytes of the word at `word` that lie in [addr, end), as a mask. */
static inline unsigned bytes_in(uint64_t word, uint64_t addr, uint64_t end)
{
	unsigned bytes = 0xff;
	if (word < addr)
		bytes = bytes << (addr - word) & 0xff;
	if (word + 8 > end)
		bytes &= 0xffu >> (word + 8 - end);
	return bytes;
}

#endif
