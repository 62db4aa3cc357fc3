/*
 * The entry point of explore/: strategies by name, in memory that the caller owns.
 *
 * Everything a strategy remembers between two calls lies in `memory` (in the native target: in the
 * session segment) and is position independent, so that after the death of a target another
 * process attaches and goes on. No system call, clock, stdio, malloc or global is used here.
 */
#ifndef SIMUL_EXPLORE_H
#define SIMUL_EXPLORE_H

#include "sched/strategy.h"

enum explore_strategy {
	STRATEGY_OPTIMAL = 0, /* Optimal-DPOR with wakeup trees */
	STRATEGY_SOURCE,      /* Source-DPOR with sleep sets */
	STRATEGY_RANDOM,      /* uniform choice at each step, seeded; never finishes by itself */
	STRATEGY_EXHAUSTIVE,  /* every interleaving: the oracle */
	STRATEGY_COUNT
};

struct explore_config {
	uint32_t strategy;      /* enum explore_strategy */
	uint32_t shuffle;       /* 0: canonical thread order; else seed of a shuffled one (results must not change) */
	uint64_t seed;          /* random: first seed; execution i depends on seed and i only */
	uint64_t max_executions; /* random: begin returns false after so many; 0 = no limit */
};

/* Counters; the caller may read them at any time, even from another process. */
struct explore_stats {
	uint64_t executions;      /* complete executions, failing and deadlocked ones included */
	uint64_t blocked;         /* started and found redundant (PICK_STOP by a sleep set) */
	uint64_t cut;             /* ended by a bound */
	uint64_t distinct_traces; /* optimal: = executions; source/random/exhaustive: distinct happens-before
	                             hashes seen, if the table that counts them did not overflow */
	uint64_t distinct_overflow; /* 1: distinct_traces is a lower bound */
	uint64_t events;          /* events of all executions */
	uint64_t races;           /* reversible races found */
	uint32_t max_depth;       /* longest execution in events */
	uint32_t depth;           /* current frontier depth */
	uint32_t finished;        /* 1 once begin has returned false because the space is exhausted */
	uint32_t out_of_memory;   /* 1: the arena is used up, the search had to stop */
	uint32_t diverged;        /* 1: nondeterminism, see `divergence` */
	uint32_t infeasible;      /* planned choices that turned out not to be enabled (everything was planned instead) */
	uint32_t renamed;         /* 1: an object that a planned choice touches had another name when it was carried out
	                             (its address depends on the schedule): orders may have been missed */
	uint32_t pad_;
	uint64_t estimate;        /* estimated total number of executions, see estimate.h; 0 = unknown (random, or none has
	                             ended). At least `executions`, and equal to it once finished */
	uint64_t estimate_low, estimate_high; /* where the total lies in about nine of ten cases; low <= estimate <= high.
	                             Of a worker (common.h): the total of the whole search, see explore_join_estimates */
	struct {
		uint32_t step;        /* index of the event that differed */
		struct event expected, found;
	} divergence;
};

const char *explore_strategy_name(unsigned strategy);
int explore_strategy_parse(const char *name); /* enum explore_strategy, or -1 */

/* Bytes below which explore_create is sure to fail. */
size_t explore_min_memory(const struct explore_config *config);

/* Lays out a new search in memory[0 .. size), 16-byte aligned. false when it is too small. */
bool explore_create(const struct explore_config *config, void *memory, size_t size);

/* Fills *s with the ops and self of the search laid out in `memory`; call in each process. */
bool explore_attach(void *memory, size_t size, struct strategy *s);

/* How many bytes at the start of `memory` the search has used so far: the rest is of no importance. May be any number when the
   memory was overwritten. */
uint64_t explore_used(const void *memory);

/* Between two executions: random goes on until there are `executions` more than now; 0 = no limit. */
void explore_extend(void *memory, uint64_t executions);

/* Several workers: sets the three estimates of *sum, whose other counters are those of all workers together (finished: when all is
   explored), from those of each: the mean, the lowest low and the highest high end of those who know something. */
void explore_join_estimates(struct explore_stats *sum, const struct explore_stats *const *worker, uint32_t n);

/* The counters of a search laid out in `memory`. */
const struct explore_stats *explore_stats(const void *memory);

#endif
