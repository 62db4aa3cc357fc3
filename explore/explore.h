/*
 * The entry point of explore/: strategies by name, in memory that the caller owns.
 *
 * Everything that a strategy remembers between two calls lies in `memory` (in the native target: the session segment) and is position
 * independent. So after the death of a target another process can attach and continue. Code in explore/ uses no system call, clock, stdio,
 * malloc or global.
 */
#ifndef SIMUL_EXPLORE_H
#define SIMUL_EXPLORE_H

#include "sched/strategy.h"

enum explore_strategy {
#define STRATEGY(NAME, ...) STRATEGY_##NAME,
#include "explore/strategies.def"
#undef STRATEGY
	STRATEGY_COUNT
};

/* What the executions of a strategy are of the whole: see strategies.def. */
enum explore_kind {
	KIND_ALL,
	KIND_BOUNDED,
	KIND_MIXED,
	KIND_SAMPLES,
};

/* Whether the search records how much of it is finished (explore_spine). */
enum explore_certify {
	CERTIFY_NOT = 0,
	CERTIFY_FIRST_BUG, /* and no further execution is wanted when it cannot get better because one has failed. If one failed before this
			      search began, and there is no budget, no more than SPINE_AFTER_BUG are wanted. If the first SPINE_AFTER_CUT were
			      cut, none are */
	CERTIFY_ON,
};

#define EXPLORE_DEPTH_MAX 32u
#define SPINE_AFTER_BUG 10000u
#define SPINE_AFTER_CUT 100u

struct explore_config {
	uint32_t strategy;      /* enum explore_strategy */
	uint32_t shuffle;       /* 0: canonical thread order; else seed of a shuffled one (results must not change) */
	uint32_t depth;         /* pct: depth of the bugs to look for, 1 .. 32 (EXPLORE_DEPTH_MAX); others: 0 */
	uint32_t bounded;       /* trust: 1: explore what needs at most `preemptions` preemptions (see preempt.h), and a little more.
				   bpor: always 1, and explores nothing more */
	uint32_t preemptions;
	uint32_t uncounted;     /* trust, bounded: 1: the caller does not need within_bound, and spends little time on deciding what may
				   be left out. Sampling: 1: the caller does not need distinct_traces */
	uint32_t buffers;       /* 1: there are store buffers (MODEL_TSO, MODEL_PSO): auto uses no bounds */
	uint32_t regions;       /* enum region_bits: the regions of the program. With any, auto is only optimal, and trust and bpor must
				   not be used. With atomic ones and with sections, optimal works like source,
				   see unit.h; with atomic ones the exact count is then distinct_traces */
	uint32_t directed;      /* surw: 1: some executions are directed at deadlocks, see lock_order.h */
	uint32_t exploratory;      /* random: 1: exploratory executions, see exploratory.h */
	uint32_t patience;      /* 1: some timeouts or sleeps are late (sched/patience.h). auto uses no bounds, and trust and bpor must not be used */
	uint32_t meets;         /* 1: arrivals at barriers are MEETs (sched/event.h). auto uses no bounds, and trust and bpor must not be used */
	uint32_t forks;         /* 1: there are FORK events. auto uses no bounds, and trust and bpor must not be used */
	uint32_t certify;       /* enum explore_certify; optimal and source only */
	uint32_t keep_passing;  /* 1: keep the first execution that passes (explore_passing); not together with `certify` */
	uint64_t seed;          /* sampling, and the samples of auto: first seed. Execution i depends only on it and on i; with pct and
				   surw also on earlier executions */
	uint64_t samples_before; /* auto: number of samples taken before the search restarted; the next samples differ from them */
	uint32_t outlook;       /* auto: enum explore_outlook before the restart */
	uint32_t zeroed;        /* 1: the memory that explore_create gets holds zeros only */
	uint32_t failed_before; /* certify: 1: an execution failed before the search restarted */
	uint32_t budgeted;      /* certify: see CERTIFY_FIRST_BUG. auto: 1: the caller ends the search when a budget is used up. Where executions were cut, samples then
				   continue after the other searches have ended */
	uint64_t max_executions; /* sampling: begin returns false after this many; 0 = no limit */
};

/* Why the strategy `graphs` goes on with samples, besides an event kind + 1. */
enum graphs_left {
	GRAPHS_LONG = 1000, /* an execution has too many events, as waiting loops make */
	GRAPHS_THREADS,     /* too many threads */
	GRAPHS_STORES,      /* too many stores that one access may read, or come after */
	GRAPHS_SIZES,       /* atomic accesses of more than 8 bytes, or whose bytes overlap those of another size */
	GRAPHS_WAITS,       /* a thread waits in a loop, and the latest store does not end that */
	GRAPHS_TIMED,       /* a call that time ends only where nothing else can happen */
	GRAPHS_LOOP,        /* time ended many calls of a thread */
};

/* Counters; the caller may read them at any time, even from another process. */
struct explore_stats {
	uint64_t executions;      /* complete executions, failing and deadlocked ones included */
	uint64_t blocked;         /* started and found redundant (PICK_STOP by a sleep set) */
	uint64_t cut;             /* ended by a bound */
	uint64_t assumed;         /* ended with a thread at an assumption that does not hold (RUN_ASSUMED) */
	uint64_t within_bound;    /* explored traces that need at most config.preemptions preemptions (bpor: = distinct_traces); without
				     a bound, all executions */
	uint64_t failed_within;   /* with a bound: those of within_bound that failed or deadlocked */
	uint64_t bounded_out;     /* graphs (bpor: choices) left out with everything below them, because they need more preemptions */
	uint64_t bound_unknown;   /* executions for which this could not be decided in reasonable time */
	uint64_t distinct_traces; /* optimal without atomic regions: = executions; others: distinct hashes of
				     happens-before, if the table that counts them did not overflow */
	uint64_t distinct_overflow; /* 1: distinct_traces is a lower bound */
	uint64_t block_traces;    /* programs whose threads take turns: distinct block traces (trace/blocks.h); 0:
				     there are no turns */
	uint64_t block_overflow;  /* 1: block_traces is a lower bound */
	uint64_t events;          /* events of all executions */
	uint64_t races;           /* reversible races found */
	uint32_t max_depth;       /* longest execution in events */
	uint32_t depth;           /* current frontier depth; 0: of samples */
	uint32_t finished;        /* 1 once begin has returned false because everything is explored */
	uint32_t out_of_memory;   /* 1: the arena was used up and the search had to stop */
	uint32_t diverged;        /* 1: nondeterminism, see `divergence` */
	uint32_t infeasible;      /* planned choices that turned out not to be enabled; every choice was planned instead */
	uint32_t renamed;         /* 1: an object that a planned choice touches had another name when the choice was performed (its
				     address depends on the schedule): interleavings may have been missed */
	/* pct, the parameters of its guarantee. pct_threads (n): the largest number of threads seen, where agents and alternatives that
	   time out count as threads; pct_events (k): the events that change points are drawn from; pct_executions: executions that used
	   this k. 0 = not known yet */
	uint32_t pct_threads;
	uint32_t pct_events;
	uint32_t chose;           /* sampling: 1: values were drawn too (CHOOSE) */
	uint64_t pct_executions;
	/* auto. bound: preemption bound of the running (or latest) execution, + 1; 0: no bound. bound_done: the largest bound that was
	   explored completely, + 1; 0: none. bound_traces: traces explored for it. bound_all: 1: these are all traces */
	uint32_t bound;
	uint32_t bound_done;
	uint64_t bound_traces;
	uint32_t bound_all;
	uint32_t sampled;         /* auto: 1: the running (or latest) execution is a sample */
	uint64_t samples;         /* auto: executions that were samples; they do not count towards what was explored systematically */
	uint64_t samples_cut;     /* auto: samples that were ended by a bound. `cut` is without them: they do not weaken
				     what is claimed for the other searches */
	uint64_t windows;         /* windows: those in which each single preemption was tried */
	uint64_t window_events;   /* the events of these windows */
	uint64_t window_pairs;    /* executions with a random pair of preemptions in a window */
	uint64_t window_operations; /* about how many events and accesses to memory an execution in slices has; each
				       slice counts whole. The fewest of those that ended, since waiting loops make
				       more in long slices; if all were cut, the most of them. 0: there was none */
	uint32_t window_from;     /* where the current window begins; 0: the running execution finds that out */
	uint32_t window_whole;    /* events of the latest execution in slices; 0: there was none */
	uint32_t window_cut;      /* those of them after which executions were ended, since one in slices had been cut */
	uint64_t window_ended;    /* executions that were ended soon after their window; they count as executions */
	uint32_t window_uncut;    /* executions in slices that ended by themselves */
	uint32_t graphs_left;     /* graphs: why the search goes on with samples: an event kind that it does not
				     know, + 1, or enum graphs_left; 0: it does not */
	uint64_t gave_way;        /* sampling: executions in which a polling thread was passed over */
	uint64_t estimate;        /* estimated total number of executions, see estimate.h; 0 = unknown (sampling, or no execution has
				     ended). At least `executions`, and equal to it once finished */
	uint64_t estimate_low, estimate_high; /* range that holds the total in more than nine of ten cases; low <= estimate <= high. high is
					         ESTIMATE_MOST while the total cannot be estimated (explore_estimate_known). For a worker
					         (common.h): the total of the whole search, see explore_join_estimates */
	struct {
		uint32_t step;        /* index of the event that differed */
		struct event expected, found;
	} divergence;
};

#define ESTIMATE_MOST (UINT64_C(1) << 60) /* means "this or more" */

/* Returns whether the estimate and its range may be shown: estimate.h says when they hold. */
static inline bool explore_estimate_known(const struct explore_stats *s)
{
	return s->estimate && s->estimate_high < ESTIMATE_MOST;
}

/* Returns the number of executions that a bound ended, samples included. */
static inline uint64_t explore_cut(const struct explore_stats *s)
{
	return s->cut + s->samples_cut;
}

const char *explore_strategy_name(unsigned strategy);

/* Returns whether the strategy samples: it draws random schedules without end, and later knowledge does not change earlier ones. */
bool explore_samples(unsigned strategy);

/* After `begin` returned true: returns whether the planned execution is a sample. */
bool explore_sample_next(void *memory);
/* After `begin` returned true: returns whether the planned execution belongs to a search of all traces, which neither samples nor bounds
   preemptions. */
bool explore_all_traces(void *memory);

#define WINDOW_EXECUTIONS 200u /* windows: single preemptions of one window that is longer than the shortest */
/* After `begin` returned true: sets *out to the window of the planned execution (struct settings). Returns false if the
   strategy has no windows. */
struct explore_window {
	uint32_t slice, from, to;
};
bool explore_window(void *memory, struct explore_window *out);

/* Returns whether the next execution usually begins like the latest one. */
bool explore_backtracks(const void *memory);

/* After `begin` returned true: returns the number of events with which the planned execution begins, before it does something new. */
uint32_t explore_prefix(void *memory);
/* Returns whether executions may begin like the latest one: they backtrack, or have windows. */
bool explore_returns(const void *memory);

/* After `begin` returned true: returns how many of the latest execution's events, which `trace` still holds, the planned execution
   repeats. */
uint32_t explore_repeats(void *memory, const struct trace *trace);

/* Call it instead of `observe` for the first n events of the planned execution, which starts after them. n is at most
   explore_repeats. */
void explore_resume(void *memory, uint32_t n);

/* Bytes of memory; explore_create fails when given fewer. */
size_t explore_min_memory(const struct explore_config *config);

/* Lays out a new search in memory[0 .. size), which must be 16-byte aligned. Returns false when it is too small. */
bool explore_create(const struct explore_config *config, void *memory, size_t size);

/* Sets *s to the operations and `self` of the search laid out in `memory`. Call it in each process. */
bool explore_attach(void *memory, size_t size, struct strategy *s);

/* Returns how many bytes at the start of `memory` the search has used so far; the rest does not matter. The value is arbitrary if the
   memory was overwritten. */
uint64_t explore_used(const void *memory);

/* Informs the search that from now on more events are visible than in the running execution: pct counts again from the next execution. */
void explore_more_events(void *memory);

/* Lets sampling continue for `executions` more executions; 0 = no limit. `budgeted`: that of explore_config, for a search with `certify`. Call it
   between two executions. */
void explore_extend(void *memory, uint64_t executions, bool budgeted);

/* auto: sets whether the full search is expected to finish, which decides its share of the work (auto/auto.h). NOT_KNOWN: the initial
   value. May be called at any time, from any process. Has no effect with other strategies, or when memory[0 .. size) was overwritten. */
enum explore_outlook { OUTLOOK_NOT_KNOWN = 0, OUTLOOK_END, OUTLOOK_NO_END };
void explore_expect(void *memory, size_t size, enum explore_outlook outlook);

/* auto: the latest argument of explore_expect; NOT_KNOWN with other strategies. */
enum explore_outlook explore_expected(const void *memory);

/*
 * Finds out how many preemptions the latest execution needs, in the order of its events that has the fewest (preempt.h). The number is at
 * least `least`, and at most `enough`; usually the two are equal. Call it between pick and end, when `trace` holds the whole execution.
 * Returns false when that is not known: there are store buffers, memory is used up, or finding out takes too many steps.
 */
struct explore_need {
	uint32_t least, enough;
};
bool explore_need(void *memory, const struct trace *trace, struct explore_need *need);

/* For several workers: computes the three estimates of *sum from those of each worker: the mean, the lowest low end and the highest high
   end of the workers that have an estimate. The other counters of *sum must already be those of all workers together (finished: when
   everything is explored). */
void explore_join_estimates(struct explore_stats *sum, const struct explore_stats *const *worker, uint32_t n);

/* Adds executions in slices, of which window_operations is `operations` and window_uncut is `uncut`. 0, 0: none. */
void explore_join_windows(struct explore_stats *to, uint64_t operations, uint32_t uncut);

/* Why no more of the spine can be certified. */
enum spine_reason {
	SPINE_FAILED = 1,     /* an execution failed or deadlocked */
	SPINE_CUT = 2,        /* one was cut */
	SPINE_ASSUMED = 4,    /* one ended at an assumption that does not hold */
	SPINE_RENAMED = 8,    /* stats.renamed */
	SPINE_BROKEN = 16,    /* the search broke off: memory used up, or the program is not deterministic */
	SPINE_REGIONS = 32,   /* the program marks regions: not every schedule is explored */
};

/* The first execution of a search that passed, and how many of its first events are certified: every execution that begins with them, in any
   order that has the same happens-before, was explored, and none failed. 0: every execution there is. */
#define SPINE_SIBLINGS 16 /* later ones are not kept */
struct explore_spine {
	const struct event *event; /* in `memory`, which the program may write to: to be checked by the caller */
	uint32_t n, certified;
	uint32_t frozen;           /* enum spine_reason, one bit each; 0: `certified` falls as the search advances */
	/* Finished siblings of the last certified event: every execution that begins with the certified events before it, and then one of these, was
	   explored as well, and none failed. Each is the next event of its thread there, and was not chosen among alternatives. Copies;
	   object ids have no meaning. */
	uint32_t siblings;
	struct event sibling[SPINE_SIBLINGS];
	uint32_t lost;             /* after explore_guide: step of that schedule, from 1, that the first execution could not perform, or, for
				      the number of its steps + 1, the execution failed; 0: none */
};
/* `memory`: of the search, or of the worker that owns the root; `common`: what several workers share; NULL: there is nothing.
   false: no execution has passed yet; only out->lost is set. */
bool explore_spine(const void *memory, size_t size, const void *common, struct explore_spine *out);

/* Returns whether a search with `certify` ends although something is left to explore, since an execution has failed. */
bool explore_certify_over(const void *memory);

struct forced_step;
/* Makes the first execution of a new search with `certify` follow this schedule. Accesses to memory that the schedule does not have are
   performed where their thread makes them. The search ends if the schedule cannot be followed to its end, or fails. Returns false when memory
   is used up. */
bool explore_guide(void *memory, const struct forced_step *step, uint32_t n);

/* With `keep_passing`: the first execution that passed. Returns false if none did. The events are in `memory`, as those of explore_spine. */
bool explore_passing(const void *memory, size_t size, const struct event **event, uint32_t *n);

/* steps: a single process is runnable, and begins a step without a choice. Returns whether this process sleeps: then the rest of the
   execution is redundant. False with other strategies. */
bool explore_asleep(void *memory, const struct trace *trace);

/* Returns the counters of the search laid out in `memory`. */
const struct explore_stats *explore_stats(const void *memory);
/* The same in `size` bytes that may be damaged; NULL: the counters are not in them. */
const struct explore_stats *explore_stats_within(void *memory, size_t size);

#endif
