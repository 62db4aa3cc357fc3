/* Random programs for the toy machine. */
#ifndef SIMUL_LIB_TOY_RANDOM_H
#define SIMUL_LIB_TOY_RANDOM_H

#include "tests/unit/lib_toy.h"

enum toy_feature {
	TOY_F_MEM = 1 << 0,     /* loads, stores, branches on what was loaded */
	TOY_F_RMW = 1 << 1,     /* fetch-and-add, compare-and-swap */
	TOY_F_LOCK = 1 << 2,    /* locks, nested, sometimes into a deadlock */
	TOY_F_TRY = 1 << 3,     /* trylock */
	TOY_F_SEM = 1 << 4,     /* wait, trywait, post */
	TOY_F_COND = 1 << 5,    /* wait, signal, broadcast */
	TOY_F_TIMED = 1 << 6,   /* timed waits instead of some waits */
	TOY_F_SPURIOUS = 1 << 7,
	TOY_F_RW = 1 << 8,      /* rwlocks and their try forms */
	TOY_F_BARRIER = 1 << 9,
	TOY_F_ONCE = 1 << 10,
	TOY_F_FUTEX = 1 << 11,
	TOY_F_DIE = 1 << 12,    /* crashes that depend on a loaded value */
	TOY_F_NOJOIN = 1 << 13, /* main may return while threads are running */
	TOY_F_SPIN = 1 << 15,   /* spin loops: waiting for a value, locks made of a word */
	TOY_F_CHOOSE = 1 << 16, /* values that are chosen, then stored or branched on; some choices take more than one event */
	TOY_F_ASSUME = 1 << 17, /* threads that continue only with some values of a register */
	TOY_F_ATOMIC = 1 << 18, /* atomic regions */
	TOY_F_EXPLORE = 1 << 19, /* regions to explore, some without an end */
	TOY_F_PATIENT = 1 << 20, /* timeouts expire soon, or late (sched/patience.h) */
	TOY_F_LATE_EXIT = 1 << 21, /* exits come late (sched/late_exit.h); main mostly returns while threads are running, and other threads may call exit */
	TOY_F_DISCRETE = 1 << 23, /* world_config.discrete_time: sleeps, and timeouts that expire only when nothing else can happen */
	TOY_F_MEET = 1 << 22, /* with BARRIER: world_config.barrier_first */
	TOY_F_SECTIONS = 1 << 24, /* with LOCK and MEM: sections with accesses, most of them to a variable of the mutex */
	TOY_F_RW_ALL = 1 << 25, /* two rwlocks of any kind: nested read locks, and timed forms */
	TOY_F_ADDS = 1 << 26, /* with RMW: most additions commute */
	TOY_F_BYTES = 1 << 14,  /* overlapping accesses of any size */
};

/* Builds program number i of this seed with (some of) these features: 2 to 4 threads. */
void toy_random(struct toy_program *p, unsigned features, uint64_t seed, uint64_t i);

/* How many of n programs to try: RANDOM_PERCENT of them (default 100), but at least three. */
unsigned toy_random_part(unsigned n);

#endif
