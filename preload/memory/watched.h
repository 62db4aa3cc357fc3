/*
 * Words on which steps of processes race, and the accesses of these words with their stacks.
 *
 * The footprint of a step (footprint.h) has no places in the code, because it costs too much to take a stack for each
 * access. So a race is found in two executions: the first one finds the words that two unordered steps access, and
 * these words are watched from then on (struct session_races). In later executions the first access of each step to a
 * watched word is recorded with its stack.
 */
#ifndef SIMUL_WATCHED_H
#define SIMUL_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

struct mem_access;

#define WATCHED_FRAMES 24 /* frames of a stack that are kept */

/* An access of a watched word by a step. */
struct watched_access {
	uint64_t word, addr, size; /* addr, size: the whole access */
	uint32_t flags;            /* MEM_* */
	uint8_t step;              /* number of the step */
	uint8_t bytes;             /* of the word */
	bool write;
	uint64_t locks;            /* set of locks that the step held */
	uint8_t n;                 /* frames */
	uint64_t pc[WATCHED_FRAMES];
};

/* Watches the word from now on, if there is room. */
void watched_add(uint64_t word);
/* The accesses that were recorded are forgotten. */
void watched_forget(void);
/* The accesses that follow are made by the step with this number, which holds these locks. */
void watched_step(unsigned step, uint64_t locks);
/* The running step holds these locks now. */
void watched_locks(uint64_t locks);
/* Forgets the accesses of a step whose footprint is unknown. */
void watched_drop(unsigned step);
/* Calls f for each two accesses, of step `a` and of the later step `b`, that conflict: at least one writes, at least
   one is not certainly atomic, and no lock was held in both. */
void watched_conflicts(unsigned a, unsigned b,
	void (*f)(const struct watched_access *of_a, const struct watched_access *of_b));

/* Returns whether the word is watched, and the running step lacks the record of such an access. */
bool watched_lacks(uint64_t word, unsigned bytes, bool write);
/* Records the access of this word by the running step, with its stack. `a` is the whole access. Called inside simul. */
void watched_record(const struct mem_access *a, uint64_t word, unsigned bytes, bool write);

#endif
