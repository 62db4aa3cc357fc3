/* Does a sequence of accesses go round? For threads that make very many of them without a scheduling point. */
#ifndef SIMUL_SPIN_PROBE_H
#define SIMUL_SPIN_PROBE_H

#include "preload/accesses/mem.h"

#define PROBE_PERIOD 16u /* longest round */
#define PROBE_ROUNDS 3u  /* that must be equal */

enum probe_result {
	PROBE_MORE = 0, /* not known yet */
	PROBE_STATE,    /* the accesses repeat: probe_state needs the thread's state, here and one round later */
	PROBE_ROUND,    /* at[0 .. period) is a round without any effect: it goes on for ever unless another thread changes what it reads */
	PROBE_NONE,     /* the thread changes something: it calculates, or counts while it waits */
};

struct probe {
	uint32_t n, period;
	bool changes;   /* outside the thread's own stack */
	bool swaps;     /* the latest access is a read-modify-write that may change what it finds */
	uint64_t state; /* at the start of a round */
	struct {
		uint64_t pc, addr, size;
		uint32_t value; /* before the access */
		bool write;     /* but not a read-modify-write: in a round those leave what they find */
	} at[PROBE_PERIOD * (PROBE_ROUNDS + 2) + 1];
};

/* The next access of the sequence; nothing has been unmapped since the one before. */
enum probe_result probe_access(struct probe *p, const struct mem_access *a);
/* After PROBE_STATE: the thread's state (spin_state.h; 0: not known) before that access. PROBE_MORE, PROBE_ROUND or PROBE_NONE. */
enum probe_result probe_state(struct probe *p, uint64_t state);
/* After PROBE_ROUND: is the i-th of the round a read of bytes that the round does not write? Then others must change them if it is to end.
   */
bool probe_reads_only(const struct probe *p, unsigned i);
void probe_reset(struct probe *p);

#endif
