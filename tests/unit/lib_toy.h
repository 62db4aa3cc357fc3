/*
 * A toy machine: tiny multithreaded programs executed over sched/world.h under any strategy, without a
 * process. Memory lives here; everything else is the real world.
 *
 * Memory is TOY_VARS variables of 8 bytes, side by side, at TOY_BASE: two variables share a cell, and a page ends among
 * them. An access is of a whole variable, or (toy_sized) of any bytes. Accesses of bytes write patterns, so that one
 * that overlaps them finds a part; what they find is the sum of the bytes.
 */
#ifndef SIMUL_LIB_TOY_H
#define SIMUL_LIB_TOY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "explore/explore.h"
#include "sched/await.h"
#include "sched/memory.h"
#include "sched/world.h"
#include "tests/unit/lib_toy_program.h"

#define TOY_TRACE 4096
#define TOY_ARENA (512 * 1024)

struct toy_thread {
	unsigned pc;
	int64_t reg[TOY_REGS];
	/* The last access of a spin loop (sched/await.h), when nothing but YIELD came since; 0: none. */
	uint32_t node, found;
	uint32_t wrote;  /* what was there after it */
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
	uint8_t index[MAX_THREADS];        /* program thread of a thread_id that is no agent's */
	uint8_t mem[8 * TOY_VARS];         /* and, while a thread runs, what is in its buffer over it */
	bool dead, over, yielded;
	uint32_t max_steps;                /* 0: TOY_TRACE - 2 */
	const struct toy_hash *until;      /* toy_oracle: stop when this trace was executed */
	uint32_t rounds;                   /* world_config.rounds */
	bool blind;                        /* the states of toy_waits lack the registers */
	uint64_t cut;                      /* executions that were cut */
	bool memory_only;                  /* toy_oracle: toy_weak_hash without other library events than those of mutexes */
	uint32_t kill_at;                  /* die at this step (1 ..); 0 = never */
	uint64_t steps;                    /* of all executions */
	_Alignas(16) char arena[TOY_ARENA];
	struct memory_table memory; /* kept: a page keeps its number */
	struct await_table await;   /* kept until toy_forget: what executions taught of the spin loops of p */
	uint32_t known_regions;     /* in the running execution */
	uint32_t regions;           /* the same: enum region_bits */
};

void toy_init(struct toy *t, const struct toy_program *p);
void toy_forget(struct toy *t);

/* One execution without begin and end: `pick` decides. Returns how it ended. */
typedef int (*toy_pick)(void *ctx, const struct sched_view *view);
typedef void (*toy_observe)(void *ctx, const struct event *e);
enum run_verdict toy_execute(struct toy *t, toy_pick pick, toy_observe observe, void *ctx);

/* One execution under a strategy; false when `begin` says it is finished. */
bool toy_run(struct toy *t, struct strategy *s, enum run_verdict *verdict);

/* A 128-bit hash of the trace's happens-before, from events_dependent alone: the same for all of its
   linearisations. */
struct toy_hash {
	uint64_t a, b;
};
struct toy_hash toy_trace_hash(const struct trace *trace);

/* What toy_oracle identifies a trace by: that, or, with store buffers or memory_only, toy_weak_hash (lib_weak.h). */
struct toy_hash toy_hash_of(const struct toy *t);

/* A set of them. */
struct toy_set {
	struct toy_hash *h;
	size_t n, cap;
};
bool toy_set_add(struct toy_set *s, struct toy_hash h); /* false: was there */
bool toy_set_has(const struct toy_set *s, struct toy_hash h);
void toy_set_clear(struct toy_set *s);

/* All interleavings of the program, at most `limit`; false when there are more. When only a part of the random programs
   is tested (toy_random_part), also false when there seem to be more than four times as many: most of the time would be spent on programs
   that are not tested. Fills the set of traces (toy_hash_of). Starts again
   after each discovery, until nothing new is discovered. */
bool toy_oracle(struct toy *t, struct toy_set *out, uint64_t limit, uint64_t *runs);
/* The same; traces that end at an assumption that does not hold (RUN_ASSUMED) go to *assumed. */
bool toy_oracle_assumed(struct toy *t, struct toy_set *out, struct toy_set *assumed, uint64_t limit, uint64_t *runs);

#endif
