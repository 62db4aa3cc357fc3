/*
 * Steps of processes that the program schedules itself (SystemC): what a step did, and which steps depend on each other.
 *
 * A *step* is what a process does from the choice that lets it run (a CHOOSE) to the point where it gives control back. Its *footprint* is the
 * set of words of memory that it read and wrote, and what it did to events of the simulation. Two steps of different processes that are both
 * runnable are independent when neither writes what the other accesses, and when their operations on each event commute:
 *
 *   NOTIFY  immediate notification.  Dependent with DELAY, which it cancels, with WAIT, which it ends, and with ASK
 *   DELAY   delayed notification.    Dependent with NOTIFY and CANCEL. Of two, the earlier one remains, whichever came first
 *   CANCEL  Dependent with DELAY
 *   WAIT    the step ended waiting for the event.  Dependent with NOTIFY
 *   ASK     asked whether the event was notified.  Dependent with NOTIFY
 *
 * Steps with an unknown footprint are dependent with all others.
 */
#ifndef SIMUL_STEP_H
#define SIMUL_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/choice.h"

#define STEP_WORDS 4096u /* a larger footprint counts as unknown */

enum step_operation { DID_NOTIFY = 1, DID_DELAY = 2, DID_CANCEL = 4, DID_WAIT = 8, DID_ASK = 16 };

/* An element of a footprint: a word of memory (`word` is its address, a multiple of 8), or an event (its address + 1). */
struct step_word {
	uint64_t word;
	uint8_t read, write; /* the bytes read and written, as bits; an event: `read` has the operations (enum step_operation) */
	uint8_t by_scheduler; /* 1: an access of the program's scheduler counts here, so the word shows no race */
	uint8_t pad_[5];
};

/* The latest choice of a process in the running execution, and the latest step that ended. In the session; the target writes it. */
struct step_table {
	uint32_t choices;  /* choices of a process so far in this execution */
	uint32_t runnable; /* at the latest one: number of processes, in the order of the values of the CHOOSE */
	uint32_t ended;    /* number of the choice, from 1, whose step ended last; 0: no step has ended since the latest choice */
	uint32_t unknown;  /* 1: the footprint of that step is not known */
	uint32_t turns;    /* 1: atomic regions are turns of threads (sched/fixed_order.h) */
	uint32_t words;    /* its footprint, sorted by `word` */
	uint64_t process[CHOOSE_MOST]; /* hashes of their names */
	struct step_word word[STEP_WORDS];
};

/* Sorts a footprint. */
void step_sort(struct step_word *word, uint32_t n);
/* Returns whether steps with these footprints, which are sorted, are dependent. */
bool step_dependent(const struct step_word *a, uint32_t an, const struct step_word *b, uint32_t bn);

#endif
