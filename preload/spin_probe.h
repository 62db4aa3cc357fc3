/* Does a sequence of accesses go round? For threads that make very many of them without a scheduling point. */
#ifndef SIMUL_SPIN_PROBE_H
#define SIMUL_SPIN_PROBE_H

#include "preload/mem.h"

#define PROBE_PERIOD 16u /* longest round */
#define PROBE_ROUNDS 3u  /* that must be equal */

enum probe_result {
	PROBE_MORE = 0, /* not known yet */
	PROBE_ROUND,    /* at[0 .. period) is a round, the same each time: reads, and writes to its own stack */
	PROBE_NONE,     /* it changes something, or reads other things */
};

struct probe {
	uint32_t n, period;
	enum probe_result found;
	bool outside;   /* it writes outside its own stack */
	struct {
		uint64_t pc, addr, size;
		uint32_t value; /* before the access */
		bool write, own_stack;
	} at[PROBE_PERIOD * (PROBE_ROUNDS + 1)];
};

/* The next access of the sequence. */
enum probe_result probe_access(struct probe *p, const struct mem_access *a);
/* After PROBE_ROUND: are these bytes not written in the round? Then others must change them if it is to end. */
bool probe_reads_only(const struct probe *p, uint64_t addr, uint64_t size);
/* After PROBE_NONE: is the i-th of the at[0 .. n) a read of other memory that comes again and again in between, and that nobody
   there writes? */
bool probe_polls(const struct probe *p, unsigned i);
void probe_reset(struct probe *p);

#endif
