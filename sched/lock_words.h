/*
 * Words that threads use like locks, as far as the executions show: only for advice, nothing is assumed of them (docs/locks.md).
 *
 * A word is like a lock if threads take it by a locked instruction that finds 0, and if the thread that took it gives it back, so that the next
 * operation finds 0 again. A thread that finds it taken waits for it and does nothing else until it takes it. One counterexample is enough: the
 * word is *refuted* for good.
 *
 * A *site* is an instruction that is a compare-and-swap from 0. --lock can only name such instructions, by their functions.
 */
#ifndef SIMUL_LOCK_WORDS_H
#define SIMUL_LOCK_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/strategy.h"

#define LOCK_WORDS 256u /* words that are watched: the first ones that a read-modify-write accesses */
#define LOCK_SITES 64u  /* sites: their sets are bits of a number */
#define LOCK_STACKS 128u
#define LOCK_DEPTH 6u   /* innermost frames of a stack that count: --lock also holds for what a function calls */
#define LOCK_LOOKS 16u  /* at each site, the first so many stacks are looked at */

enum lock_word_flags {
	LOCK_WORD_REFUTED = 1,
	LOCK_WORD_KNOWN = 2,   /* taken as a lock already (AWAIT_LOCK) */
	LOCK_WORD_SEVERAL = 4, /* several threads have taken it and given it back */
};

struct lock_word {
	uint64_t lo, hi;  /* its bytes, as event_bytes names them */
	uint64_t addr;    /* its address */
	uint64_t sites;   /* set of the sites that accessed it */
	uint32_t takings; /* how often a thread took it and gave it back */
	uint32_t free;    /* fingerprint of 0 in its size */
	thread_id first;  /* takings != 0: the thread that did so first */
	uint16_t flags;   /* enum lock_word_flags */
	/* of the running execution: */
	thread_id holder; /* NO_THREAD: it is free */
	thread_id writer; /* the last thread that wrote to it while `holder` had it; NO_THREAD: none */
	uint32_t begun;   /* 1: a thread has taken it */
	uint32_t pad_;
};

/* Lies in the session. Zeroed memory is an empty table. */
struct lock_words {
	uint32_t n, sites;
	uint32_t executions; /* how many it has seen */
	uint32_t full;       /* 1: there was no room for a site */
	uint64_t waited;     /* set of sites at which a thread found the word taken, or took it after waiting */
	uint64_t doubtful;   /* set of sites that accessed words which are refuted or not watched */
	uint64_t entries;    /* set of sites at which threads begin to take a word, without having found it taken before */
	uint64_t after[LOCK_SITES]; /* by site: set of other sites at which threads went on that had found a word taken there */
	uint64_t site[LOCK_SITES]; /* struct event.pc */
	struct lock_word word[LOCK_WORDS];
	uint16_t slot[2 * LOCK_WORDS]; /* hash table of words: index + 1; 0: empty */
	uint32_t stacks, pad_;
	struct lock_stack {
		uint64_t pc[LOCK_DEPTH]; /* return addresses, innermost first: that of the site is pc[0]; 0: there are no more */
		uint32_t word, pad_;
	} stack[LOCK_STACKS]; /* distinct ones, with which sites accessed a word */
	uint8_t looks[LOCK_SITES];
	/* of the running execution, by thread: */
	uint16_t waits[MAX_THREADS]; /* index + 1 of the word for which the thread waits; 0: none */
	uint8_t tried[MAX_THREADS];  /* index + 1 of the site at which it found the word taken; 0: none */
};

/* Takes account of an execution that has ended, or of a part of one. */
void lock_words_see(struct lock_words *l, const struct trace *trace);

/* Returns whether lock_words_add_stack should get the stack of the thread that is about to announce the operation, which is a compare-and-swap from 0. */
bool lock_words_wants_stack(struct lock_words *l, const struct op *op);
/* pc[0] is the operation's. n: 1 or more. */
void lock_words_add_stack(struct lock_words *l, const struct op *op, const uint64_t *pc, unsigned n);

/* Returns whether the word was like a lock in all executions: at least two threads have taken it and given it back. */
bool lock_words_like_lock(const struct lock_words *l, uint32_t word);

#endif
