/* Recognizes that a sequence of accesses repeats, for threads that make very many of them without a scheduling point. */
#ifndef SIMUL_SPIN_PROBE_H
#define SIMUL_SPIN_PROBE_H

#include "preload/base/access.h"

#define PROBE_PERIOD 16u /* the longest round that is recognized has this many accesses */
#define PROBE_ROUNDS 3u  /* equal rounds that are required */

/* The result for the sequence so far. */
enum probe_result {
	PROBE_MORE = 0, /* nothing yet */
	PROBE_STATE,    /* the accesses repeat: probe_state needs the thread's state, here and one round later */
	PROBE_ROUND,    /* at[0 .. period) is a round without any effect. The thread repeats it until another thread changes memory that it reads */
	PROBE_NONE,     /* the thread changes something: it calculates, or counts while it waits */
};

/* A sequence of accesses of one thread. */
struct probe {
	uint32_t n, period;
	bool changes;   /* some access wrote outside the thread's own stack */
	bool swaps;     /* the latest access is a read-modify-write that may change what it finds */
	uint64_t state; /* the thread's state at the start of a round */
	struct {
		uint64_t pc, addr, size;
		uint32_t value; /* value in memory before the access */
		bool write;     /* the access is a write, not a read-modify-write (those do not change memory in a round) */
	} at[PROBE_PERIOD * (PROBE_ROUNDS + 2) + 1];
};

/* Adds the next access to the sequence. No memory may have been unmapped since the previous access. */
enum probe_result probe_access(struct probe *p, const struct mem_access *a);
/* After PROBE_STATE: gives the thread's state before that access (spin_state.h; 0: unknown). Returns PROBE_MORE, PROBE_ROUND or
   PROBE_NONE. */
enum probe_result probe_state(struct probe *p, uint64_t state);
/* After PROBE_ROUND: returns whether the i-th access of the round reads bytes that the round does not write. Other threads must change such
   bytes if the round is to end. */
bool probe_reads_only(const struct probe *p, unsigned i);
/* Begins a new sequence. */
void probe_reset(struct probe *p);

#endif
