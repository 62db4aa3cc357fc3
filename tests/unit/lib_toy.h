/*
 * A toy machine: it executes tiny multithreaded programs over sched/world.h under any strategy, without a process. Memory lives here; everything
 * else is the real world.
 *
 * Memory is TOY_VARS variables of 8 bytes, side by side, at TOY_BASE. Two variables share a cell, and a page ends between two of them. An access
 * covers a whole variable, or (toy_sized) any bytes. Byte accesses write patterns, so that a partly overlapping access reads a recognisable
 * part; the value of a byte load is the sum of the bytes.
 */
#ifndef SIMUL_LIB_TOY_H
#define SIMUL_LIB_TOY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "explore/explore.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "sched/endless.h"
#include "sched/rounds.h"
#include "sched/section.h"
#include "sched/world.h"
#include "tests/unit/lib_toy_program.h"

#define TOY_TRACE 4096
#define TOY_ARENA (512 * 1024)

struct toy_thread {
	unsigned pc;
	int64_t reg[TOY_REGS];
	/* The last access of a spin loop (sched/await.h), if only YIELD came since; otherwise 0. */
	uint32_t node, found;
	uint32_t wrote;  /* the value there after it */
};

struct toy {
	const struct toy_program *p;
	struct thread_names names;
	struct trace trace;
	struct event event[TOY_TRACE], pending[MAX_IDS];
	uint8_t alts[MAX_IDS];
	struct world *world;
	struct toy_thread thread[TOY_THREADS];
	thread_id id[TOY_THREADS];         /* of program thread k */
	uint8_t index[MAX_THREADS];        /* the program thread of each thread_id, except agents */
	uint8_t mem[8 * TOY_VARS];         /* memory; while a thread runs, with the contents of its buffer on top */
	bool dead, over, yielded;
	uint32_t max_steps;                /* 0: TOY_TRACE - 2 */
	const struct toy_hash *until;      /* toy_oracle: stop when this trace was executed */
	uint32_t rounds;                   /* world_config.rounds */
	struct rounds_limits *limits;      /* world_config.limits */
	struct endless_limits *threads;    /* world_config.endless */
	uint32_t stops;                    /* world_config.stops */
	bool falters;                      /* broken: limits of threads that never end count in every other step only */
	bool run_on;                       /* an execution that others cover runs on, as in preload/control/run_on.h */
	uint64_t endless;                  /* executions that ran on and did not end */
	uint64_t deadlocks;                /* executions that ran on into a deadlock */
	struct {
		bool active;
		uint32_t n, threads;
		uint64_t random;
		struct event pending[TOY_THREADS];
		uint8_t alts[TOY_THREADS];
	} left;                            /* what the strategy still has to see, while an execution runs on */
	bool blind;                        /* the states of toy_waits omit the registers */
	uint64_t cut;                      /* executions that were cut */
	bool memory_only;                  /* toy_oracle: toy_weak_hash orders no library events except those of mutexes */
	struct section_table *sections;      /* world_config.sections; NULL: sections are not steps */
	const struct section_table *classes; /* toy_trace_hash of executions without steps counts the sections that are steps here as steps */
	uint32_t kill_at;                  /* die at this step (1 ..); 0 = never */
	uint64_t steps;                    /* of all executions */
	_Alignas(16) char arena[TOY_ARENA];
	bool claims_hidden;         /* kept; the strategy and the oracle see RW_WRWAIT as independent of read locks: a missing dependence */
	struct memory_table memory; /* kept, so that a page keeps its number */
	struct await_table await;   /* what is known about the spin loops of p; kept until toy_forget */
	uint32_t known_regions;     /* at the start of the running execution */
	uint32_t regions;           /* now; both are bits of enum region_bits */
};

void toy_init(struct toy *t, const struct toy_program *p);
void toy_forget(struct toy *t);

/* Runs one execution without calling begin and end; `pick` chooses. Returns how it ended. */
typedef int (*toy_pick)(void *ctx, const struct sched_view *view);
typedef void (*toy_observe)(void *ctx, const struct event *e);
enum run_verdict toy_execute(struct toy *t, toy_pick pick, toy_observe observe, void *ctx);

/* Runs one execution under a strategy. Returns false when `begin` says that the search is finished. */
bool toy_run(struct toy *t, struct strategy *s, enum run_verdict *verdict);

/* A 128-bit hash of the trace's happens-before, computed from events_dependent alone. All linearisations of a trace have the same hash. */
struct toy_hash {
	uint64_t a, b;
};
struct toy_hash toy_trace_hash(const struct trace *trace);

/* Returns the hash by which toy_oracle identifies a trace: the one above, or toy_weak_hash (lib_weak.h) with store buffers or memory_only. */
struct toy_hash toy_hash_of(const struct toy *t);

/* A set of trace hashes. */
struct toy_set {
	struct toy_hash *h;
	size_t n, cap;
};
bool toy_set_add(struct toy_set *s, struct toy_hash h); /* returns false when h was there already */
bool toy_set_has(const struct toy_set *s, struct toy_hash h);
void toy_set_clear(struct toy_set *s);
/* Returns how many hashes of *from are not in *in. */
size_t toy_set_missing(const struct toy_set *from, const struct toy_set *in);

/* Runs all interleavings of the program and fills the set of traces (toy_hash_of). Restarts after each discovery, until nothing new is
   discovered. Returns false when there are more than `limit`. When only a part of the random programs is tested (toy_random_part), it also
   returns false when there seem to be more than four times as many: most of the time would otherwise go to programs that are not tested. */
bool toy_oracle(struct toy *t, struct toy_set *out, uint64_t limit, uint64_t *runs);
/* The same, but traces that end at a failed assumption (RUN_ASSUMED) go to *assumed. */
bool toy_oracle_assumed(struct toy *t, struct toy_set *out, struct toy_set *assumed, uint64_t limit, uint64_t *runs);

#endif
