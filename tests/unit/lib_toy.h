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

#define TOY_THREADS 16
#define TOY_CODE 64
#define TOY_REGS 4
#define TOY_VARS 160
#define TOY_BASE UINT64_C(0x7fff2d00) /* of memory: 96 variables before the end of a page */
#define TOY_TRACE 4096
#define TOY_ARENA (512 * 1024)

/* r: register, x: variable (sized: byte), o: object number, n: number. An address is x + reg[y - 1] when y is not 0. */
enum toy_op {
	TOY_END = 0,
	TOY_LOAD,      /* a = r, b = x, c = y */
	TOY_STORE,     /* a = x, b = n, c = r + 1: value n + reg (0: n alone) */
	TOY_ADD,       /* a = x, b = n, c = r + 1 (0: none): atomic fetch-and-add */
	TOY_XCHG,      /* a = x, b = n, c = r: atomic exchange */
	TOY_CAS,       /* a = x, b = expected, c = new, d = r: success; address register in e */
	TOY_LOCK, TOY_UNLOCK, /* a = mutex */
	TOY_TRYLOCK,   /* a = mutex, b = r: 1 when taken */
	TOY_WAIT,      /* a = cond, b = mutex */
	TOY_TIMEDWAIT, /* a = cond, b = mutex, c = r: 1 when timed out, d = after how long (0: as others that come soon) */
	TOY_SIGNAL, TOY_BROADCAST, /* a = cond */
	TOY_SEMWAIT, TOY_POST,     /* a = sem */
	TOY_SEMTRY,    /* a = sem, b = r */
	TOY_RDLOCK, TOY_WRLOCK, TOY_RDUNLOCK, TOY_WRUNLOCK, /* a = rwlock */
	TOY_TRYRD, TOY_TRYWR, /* a = rwlock, b = r */
	TOY_BARRIER_INIT, /* a = barrier, b = n */
	TOY_BARRIER,   /* a = barrier */
	TOY_ONCE,      /* a = once: enter and, when it is ours, done */
	TOY_DESTROY,   /* a = which, b = OBJ_MUTEX, OBJ_COND, OBJ_RWLOCK, OBJ_SEM or OBJ_BARRIER */
	TOY_FUTEX_WAIT, /* a = x: the futex is its first 4 bytes, b = expected */
	TOY_FUTEX_WAKE, /* a = x, b = n */
	TOY_SPAWN, TOY_JOIN, /* a = thread */
	TOY_EXIT,      /* a = status */
	TOY_YIELD,
	TOY_SLEEP,     /* d = ns */
	TOY_FENCE,     /* waits until what the thread stored is in memory */
	TOY_CHOOSE,    /* a = r, b = n: one of 0 .. n-1 */
	TOY_ASSUME_EQ, TOY_ASSUME_NE, /* a = r, b = n: goes no further when that does not hold; otherwise local */
	TOY_ATOMIC_BEGIN, TOY_ATOMIC_END, TOY_EXPLORE_BEGIN, TOY_EXPLORE_END, /* do not nest */
	/* local */
	TOY_RELEASE_FENCE, /* what is stored from here on reaches memory after what was stored before (PSO) */
	TOY_SET,       /* a = r, b = n */
	TOY_ADDMOD,    /* a = r, b = n, c = modulus */
	TOY_SUM,       /* a = r, b = r: a += b */
	TOY_SKIP_EQ,   /* a = r, b = n, c = how many instructions */
	TOY_SKIP_NE,
	TOY_JUMP,      /* a = instruction */
	TOY_DIE_EQ,    /* a = r, b = n: the process dies */
};

enum toy_order {
	TOY_PLAIN = 0,
	TOY_RELEASE, /* reaches memory after all older stores of its thread (matters under PSO) */
	TOY_DRAINS,  /* waits until they are in memory, and goes there at once */
};

struct toy_instr {
	uint8_t op;
	uint8_t size;  /* of an access to memory, in bytes; 0: of a variable */
	bool spins;    /* the access is part of a spin loop */
	uint8_t order; /* of a store: enum toy_order */
	bool waits;    /* announced with the state of its thread (sched/rounds.h) */
	int16_t a, b, c, d, e;
};

struct toy_program {
	const char *name;
	unsigned threads; /* thread 0 is main */
	int sem_value[4];
	uint32_t spurious;
	bool late_exit, barrier_first, discrete_time; /* see world_config */
	uint64_t patience; /* of the world; with it or discrete_time TRYLOCK, SEMTRY, TRYRD, TRYWR and FUTEX_WAIT with d > 0 are timed, to d ns from then on */
	unsigned model;   /* enum memory_model */
	struct toy_instr code[TOY_THREADS][TOY_CODE];
	uint8_t len[TOY_THREADS];
};

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

/* Adds an instruction to thread t. */
void toy_add(struct toy_program *p, unsigned t, enum toy_op op, int a, int b, int c, int d, int e);
/* Makes the last instruction of thread t an access of bytes: of `size`, 1 to 255, that lie in one page. */
void toy_sized(struct toy_program *p, unsigned t, unsigned size);
/* Makes the last instruction of thread t, a store, one of that order. */
void toy_ordered(struct toy_program *p, unsigned t, enum toy_order order);
/* Makes it an access of a spin loop: a jump leads back to it, or to another such access, and nothing else happens between. The
   loop is discovered when an execution iterates it; from then on other accesses are events (toy.await.changes). */
void toy_spins(struct toy_program *p, unsigned t);
/* Makes the last instruction of thread t, which accesses no memory, one that is announced with the state of its thread. */
void toy_waits(struct toy_program *p, unsigned t);
/* main spawns threads 1 .. n-1 and joins them. */
void toy_main(struct toy_program *p);
/* Threads 1 .. `threads` take a ticket lock so many times each; and main. Each ticket is a spin loop of its own. */
void toy_ticket_lock(struct toy_program *p, unsigned threads, unsigned rounds);
void toy_print(const struct toy_program *p);

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
