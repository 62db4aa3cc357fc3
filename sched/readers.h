/*
 * Sets of threads that have read the same bytes, each in an epoch of its own (sched/hb.h), where nothing orders the reads. Equal sets that
 * were built in the same way are stored once. So a table that all threads read costs a few sets, not one for each word.
 */
#ifndef SIMUL_READERS_H
#define SIMUL_READERS_H

#include <stdint.h>

#include "sched/hb.h"
#include "sched/ids.h"

#define READERS_BUCKETS 256u
#define READERS_MOST 32u /* threads in one set */

/* A set: this reader, and the rest. */
struct reader {
	uint32_t rest;  /* the set without this reader; 0: empty */
	uint32_t epoch;
	uint32_t chain; /* next in its bucket */
	thread_id thread;
};

/* Room for sets: at[1 .. cap). Zeroed memory, except `at` and `cap`, holds no set. */
struct readers {
	struct reader *at;
	uint32_t cap;
	uint32_t used; /* highest number in use */
	uint32_t bucket[READERS_BUCKETS];
};

/* Returns the set with thread t in this epoch added, and without the readers that happen before it. set 0: empty. Returns 0 when there
   is no room. Calls no libc function. */
uint32_t readers_add(struct readers *y, uint32_t set, const struct hb *h, thread_id t, uint32_t epoch);

#endif
