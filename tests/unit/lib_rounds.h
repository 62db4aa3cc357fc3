/*
 * What the tests of waiting loops (test_rounds.c, test_limits.c) share: pieces of random programs for the toy machine, searches of them, and random
 * schedules that make all rounds.
 */
#ifndef SIMUL_LIB_ROUNDS_H
#define SIMUL_LIB_ROUNDS_H

#include "tests/unit/lib_toy.h"

#define MOST_INTERLEAVINGS 3000
#define LONGEST 150   /* events of an execution */

extern struct toy rounds_toy;
extern struct rounds_limits rounds_limits; /* of searches; n = 0: none */
extern struct endless_limits rounds_endless; /* the same */
extern char rounds_memory[];               /* of searches */
extern uint64_t rounds_random;             /* state of rounds_below */
unsigned rounds_below(unsigned n);

enum { GOT, TRIES, SEEN, OWN }; /* registers */

/* ---- pieces of programs, added to thread t ---- */

/* Locks, stores or loads, and unlocks. */
void rounds_critical(struct toy_program *p, unsigned t);
/* Tries a lock once and records whether it was free. */
void rounds_try_once(struct toy_program *p, unsigned t);
/* Tries a lock up to three times and records the number of tries. */
void rounds_try_thrice(struct toy_program *p, unsigned t);
/* Holds a lock and records which of three tries of another lock fail in that time. */
void rounds_hold_and_try(struct toy_program *p, unsigned t);
void rounds_set_flag(struct toy_program *p, unsigned t);

/* ---- searches ---- */

struct found {
	struct toy_set traces, outcomes;
	uint64_t twice, cut, runs, endless, deadlocks;
};


/* Broken: see struct toy.falters. */
extern bool rounds_falter;
/* Searches p with the elided rounds. blind: the states omit the registers. */
void rounds_search(struct toy_program *p, unsigned strategy, uint32_t shuffle, bool blind, struct found *f);
void rounds_clear(struct found *f);
/* Fails if the search does not find exactly these traces. */
void rounds_check(struct toy_program *p, unsigned strategy, uint32_t shuffle, const struct toy_set *traces);
/* Returns how many outcomes of random schedules with all rounds are not in the set. Sets the two variables. */
unsigned rounds_lost_outcomes(struct toy_program *p, const struct toy_set *in);
extern unsigned rounds_unending; /* random schedules that did not end */
extern unsigned rounds_beyond;   /* random schedules outside of the limits whose outcomes are not in the set; not counted as lost */

#endif
