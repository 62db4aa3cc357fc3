/*
 * Sets of threads that have read the same bytes, each in an epoch of its own (sched/hb.h), with nothing that orders them. Equal
 * sets that came about in the same way are one, so a table that all threads read costs a few sets, not one for each word.
 */
#ifndef SIMUL_READERS_H
#define SIMUL_READERS_H

#include <stdint.h>

#include "sched/hb.h"
#include "sched/ids.h"

#define READERS_BUCKETS 256u
#define READERS_MOST 32u /* in one set */

/* A set: this reader, and the rest. */
struct reader {
	uint32_t rest;  /* a set; 0: nobody else */
	uint32_t epoch;
	uint32_t chain; /* next in its bucket */
	thread_id thread;
};

/* Room for sets: at[1 .. cap). Zeroed memory, apart from at and cap, is an empty one. */
struct readers {
	struct reader *at;
	uint32_t cap;
	uint32_t used; /* highest number in use */
	uint32_t bucket[READERS_BUCKETS];
};

/* The set (0: empty) and thread t in this epoch, without those who happen before it. 0: no room. No call of libc. */
uint32_t readers_add(struct readers *y, uint32_t set, const struct hb *h, thread_id t, uint32_t epoch);

#endif
