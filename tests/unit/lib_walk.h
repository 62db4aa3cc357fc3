/*
 * A random walk through the states of the world: up to eight threads that perform random operations on every
 * kind of object. What a thread does next depends on the seed and its own past alone, so the same choices in
 * another order are the same program. The whole state can be saved and brought back.
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
#define WALK_MEMORY 64 /* bytes of shared memory, from address 0x1000; a futex has its word every 16 */

struct walk_thread {
	uint32_t ops;      /* operations so far */
	uint8_t handlers;  /* signal handlers it is in */
	uint8_t left;      /* operations until the innermost one returns */
	uint8_t ending;    /* it gives its locks back and ends */
	uint8_t signals;   /* pending */
	uint8_t children;  /* threads it has announced to create */
	int8_t once;       /* object that it initialises, plus 1 */
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
	/* what save and restore copy, beside the arena */
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

/* What can be seen of a state: independent of the numbers of objects. */
struct walk_view {
	struct {
		uint64_t clock;
		uint8_t alive, alts, cancel;
		struct event preview[ALT_COUNT];
	} thread[WALK_THREADS];
};

void walk_start(struct walk *k, uint64_t seed);
/* The enabled choices; 0 when it is over or deadlocked. */
unsigned walk_choices(struct walk *k, struct choice out[WALK_CHOICES]);
/* Performs c; last_event and last_misuse say what it was. The thread announces what it does next. */
void walk_step(struct walk *k, struct choice c);
void walk_save(const struct walk *k, struct walk_save *s);
void walk_restore(struct walk *k, const struct walk_save *s);
void walk_look(struct walk *k, struct walk_view *v);
/* The event with its objects by what they are, not by number, and without EVF_WAITED. */
struct event walk_plain(const struct walk *k, struct event e);
uint64_t walk_random(uint64_t *state);

#endif
