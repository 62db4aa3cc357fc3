/*
 * A random walk through the states of the world: up to eight threads perform random operations on every kind of object. The next operation of a
 * thread depends only on the seed and on the thread's own past, so the same choices in another order are the same program. The whole state can
 * be saved and restored.
 */
#ifndef SIMUL_LIB_WALK_H
#define SIMUL_LIB_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sched/memory.h"
#include "sched/strategy.h"
#include "sched/world.h"

#define WALK_THREADS 48
#define WALK_ARENA (512 * 1024)
#define WALK_CHOICES 128
#define WALK_MEMORY 64 /* bytes of shared memory, from address 0x1000; every 16 bytes starts a futex word */

struct walk_thread {
	uint32_t ops;      /* operations so far */
	uint8_t handlers;  /* number of signal handlers it is in */
	uint8_t left;      /* operations until the innermost one returns */
	uint8_t ending;    /* it releases its locks and ends */
	uint8_t signals;   /* pending */
	uint8_t children;  /* threads that it has announced to create */
	int8_t once;       /* object that it is initialising, plus 1 */
	uint32_t rd[2];    /* shares it holds */
	uint32_t depth;    /* of the recursive mutex */
};

struct walk {
	uint64_t seed;
	struct thread_names names;
	struct trace trace;
	struct event pending[MAX_IDS];
	uint8_t alts[MAX_IDS];
	struct world *w;
	/* what save and restore copy, in addition to the arena */
	struct walk_state {
		struct walk_thread thread[WALK_THREADS];
		uint32_t threads; /* created */
		uint32_t fd[2];   /* bytes in it */
		uint8_t mem[WALK_MEMORY];
		bool over;        /* ended, or a misuse was found */
	} s;
	struct memory_table memory;
	struct event last_event;
	unsigned last_misuse;
	_Alignas(16) char arena[WALK_ARENA];
};

struct walk_save {
	struct walk_state s;
	struct event pending[WALK_THREADS];
	uint8_t alts[WALK_THREADS];
	uint32_t trace_threads;
	uint64_t bytes;
	_Alignas(16) char arena[WALK_ARENA];
};

/* The observable part of a state, independent of object numbers. */
struct walk_view {
	struct {
		uint64_t clock;
		uint8_t alive, alts, cancel;
		struct event preview[ALT_COUNT];
	} thread[WALK_THREADS];
};

void walk_start(struct walk *k, uint64_t seed);
/* Returns the number of enabled choices: 0 when the walk is over or deadlocked. */
unsigned walk_choices(struct walk *k, struct choice out[WALK_CHOICES]);
/* Performs c and sets last_event and last_misuse. The thread then announces its next operation. */
void walk_step(struct walk *k, struct choice c);
void walk_save(const struct walk *k, struct walk_save *s);
void walk_restore(struct walk *k, const struct walk_save *s);
void walk_look(struct walk *k, struct walk_view *v);
/* The event with descriptions of its objects instead of their numbers, and without EVF_WAITED. */
struct event walk_plain(const struct walk *k, struct event e);
uint64_t walk_random(uint64_t *state);

#endif
