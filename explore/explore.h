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
	STRATEGY_PCT,         /* random priorities with change points; seeded, as the next two; never finishes by itself */
	STRATEGY_POS,         /* partial order sampling */
	STRATEGY_SURW,        /* selectively uniform random walk */
	STRATEGY_TRUST,       /* backward revisits only, no backtrack sets: memory polynomial in the length of an execution. SC only */
	STRATEGY_AUTO,        /* trust bounded by 0, 1, 2, ... preemptions beside optimal, until either has explored everything; and samples
	                         (surw) where that has no end: iterate.h */
	STRATEGY_BPOR,        /* bounded partial-order reduction: at most config.preemptions, traces maybe more than once. SC only */
	STRATEGY_COUNT
};

/* Is it kept how much of the search is finished (explore_spine)? */
enum explore_certify {
	CERTIFY_NOT = 0,
	CERTIFY_FIRST_BUG, /* and no further execution is wanted when it cannot get better because one has failed */
	CERTIFY_ON,
};

#define EXPLORE_DEPTH_MAX 32u

struct explore_config {
	uint32_t strategy;      /* enum explore_strategy */
	uint32_t shuffle;       /* 0: canonical thread order; else seed of a shuffled one (results must not change) */
	uint32_t depth;         /* pct: of the bugs to look for, 1 .. 32 (EXPLORE_DEPTH_MAX); others: 0 */
	uint32_t bounded;       /* trust: 1: explore what needs at most so many preemptions (see preempt.h), and a little more. bpor:
	                           always 1, and nothing more */
	uint32_t preemptions;
	uint32_t uncounted;     /* trust, bounded: 1: within_bound is not wanted, and it is not looked into for long whether something may
	                           be left out. Sampling: 1: distinct_traces is not wanted */
	uint32_t buffers;       /* 1: there are store buffers (MODEL_TSO, MODEL_PSO): auto goes without bounds */
	uint32_t regions;       /* enum region_bits: what the program has. With any auto is optimal alone, and trust and bpor are not to be used. With
	                           atomic ones optimal is like source, see region.h; exact counts are in distinct_traces then */
	uint32_t curious;       /* random: 1: executions that are to teach what threads do, see exploratory.h */
	uint32_t patience;      /* 1: some time-outs are late (sched/patience.h). auto goes without bounds, and trust and bpor are not to be used */
	uint32_t certify;       /* enum explore_certify; optimal and source only */
	uint64_t seed;          /* sampling, and auto's samples: first seed; execution i depends on it and i only, with pct and surw on those before, too */
	uint64_t max_executions; /* sampling: begin returns false after so many; 0 = no limit */
};

/* Counters; the caller may read them at any time, even from another process. */
struct explore_stats {
	uint64_t executions;      /* complete executions, failing and deadlocked ones included */
	uint64_t blocked;         /* started and found redundant (PICK_STOP by a sleep set) */
	uint64_t cut;             /* ended by a bound */
	uint64_t assumed;         /* ended with a thread at an assumption that does not hold (RUN_ASSUMED) */
	uint64_t within_bound;    /* traces explored that need at most config.preemptions preemptions (bpor: = distinct_traces); without a
	                             bound all executions */
	uint64_t failed_within;   /* with a bound: those of within_bound that failed or deadlocked */
	uint64_t bounded_out;     /* graphs (bpor: choices) that were left out with all that comes of them, because they need more */
	uint64_t bound_unknown;   /* executions of which it could not be told in reasonable time */
	uint64_t distinct_traces; /* optimal: = executions; the others: distinct happens-before
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
	/* pct: what the guarantee is about. n: the most threads that were seen (with agents, and ways to time out); k: the events that
	   change points are drawn from; and how many executions were drawn from so many. 0 = not known yet */
	uint32_t pct_threads;
	uint32_t pct_events;
	uint32_t chose;           /* sampling: 1: values were drawn too (CHOOSE) */
	uint64_t pct_executions;
	/* auto: preemptions + 1 that the running (or last) execution's search is bounded by, 0: by none; preemptions + 1 up to which everything
	   was explored, 0: not even with none; traces that were explored for that; 1: they are all traces that there are */
	uint32_t bound;
	uint32_t bound_done;
	uint64_t bound_traces;
	uint32_t bound_all;
	uint32_t sampled;         /* auto: 1: the running (or last) execution is a sample */
	uint64_t samples;         /* auto: executions that were samples: no part of what was explored in order */
	uint64_t gave_way;        /* sampling: executions in which a thread that polls was passed over */
	uint64_t estimate;        /* estimated total number of executions, see estimate.h; 0 = unknown (samples, or none has
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

/* Does it take samples: random schedules with no end, of which what is learnt later changes none that went before? */
bool explore_samples(unsigned strategy);

/* Does the next execution begin like the last one, as a rule? */
bool explore_backtracks(const void *memory);

/* After `begin` returned true: with how many of the last execution's events, which `trace` still holds, the planned one begins. */
uint32_t explore_repeats(void *memory, const struct trace *trace);

/* Bytes below which explore_create is sure to fail. */
size_t explore_min_memory(const struct explore_config *config);

/* Lays out a new search in memory[0 .. size), 16-byte aligned. false when it is too small. */
bool explore_create(const struct explore_config *config, void *memory, size_t size);

/* Fills *s with the ops and self of the search laid out in `memory`; call in each process. */
bool explore_attach(void *memory, size_t size, struct strategy *s);

/* How many bytes at the start of `memory` the search has used so far: the rest is of no importance. May be any number when the
   memory was overwritten. */
uint64_t explore_used(const void *memory);

/* Events are seen from now on that were not in the running execution: what pct counts begins anew with the next one. */
void explore_more_events(void *memory);

/* Between two executions: sampling goes on until there are `executions` more than now; 0 = no limit. */
void explore_extend(void *memory, uint64_t executions);

/* auto: will the full search come to its end? From that follows what part of the work it has (iterate.h). NOT_KNOWN: at the beginning. May be
   called at any time, from any process; nothing happens with other strategies, nor when memory[0 .. size) was overwritten. */
enum explore_outlook { OUTLOOK_NOT_KNOWN = 0, OUTLOOK_END, OUTLOOK_NO_END };
void explore_expect(void *memory, size_t size, enum explore_outlook outlook);

/*
 * How many preemptions does the execution need that ran last, in the order of its events that has the fewest (preempt.h)? Between pick and end,
 * when `trace` holds all of it. At least `least`, and `enough` are enough; mostly the two are the same. false: that is not known (there
 * are store buffers, no memory is left, or it takes too many steps to find out).
 */
struct explore_need {
	uint32_t least, enough;
};
bool explore_need(void *memory, const struct trace *trace, struct explore_need *need);

/* Several workers: sets the three estimates of *sum, whose other counters are those of all workers together (finished: when all is
   explored), from those of each: the mean, the lowest low and the highest high end of those who know something. */
void explore_join_estimates(struct explore_stats *sum, const struct explore_stats *const *worker, uint32_t n);

/* Why no more of the spine can be certified. */
enum spine_reason {
	SPINE_FAILED = 1,     /* an execution failed or deadlocked */
	SPINE_CUT = 2,        /* one was cut */
	SPINE_ASSUMED = 4,    /* one ended at an assumption that does not hold */
	SPINE_INFEASIBLE = 8, /* a planned choice was not enabled */
	SPINE_RENAMED = 16,   /* stats.renamed */
	SPINE_BROKEN = 32,    /* the search broke off: memory used up, or the program is not deterministic */
	SPINE_REGIONS = 64,   /* the program marks regions: not every schedule is explored */
};

/* The first execution of a search that passed, and how many of its first events are certified: every execution that begins with them, in any
   order that has the same happens-before, was explored, and none failed. 0: every execution there is. */
struct explore_spine {
	const struct event *event; /* in `memory`, which the program may write to: to be checked by the caller */
	uint32_t n, certified;
	uint32_t frozen;           /* enum spine_reason, one bit each; 0: `certified` falls as the search goes on */
};
/* false: no execution has passed yet. */
bool explore_spine(const void *memory, size_t size, struct explore_spine *out);

/* The counters of a search laid out in `memory`. */
const struct explore_stats *explore_stats(const void *memory);

#endif
