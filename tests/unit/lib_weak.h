/*
 * Store buffers, a second time: an oracle that knows nothing of the world and of explore/, and Shasha-Snir traces.
 *
 * A Shasha-Snir trace of a complete execution says what each thread executed, in order and with which outcome; for each byte that was
 * read, who wrote it; for each byte, in which order the stores to it reached memory; for each mutex, in which order it was locked and
 * unlocked. Two executions that agree in this are the same for the program. See Abdulla et al., "Stateless model checking for TSO and
 * PSO" (TACAS 2015), section 3.
 */
#ifndef SIMUL_LIB_WEAK_H
#define SIMUL_LIB_WEAK_H

#include "tests/unit/lib_toy.h"

/* ---- Shasha-Snir traces: a hash is a sum, put together in any order, of the following ---- */

enum weak_access { WEAK_LOAD = 1, WEAK_STORE, WEAK_RMW, WEAK_LOCK, WEAK_UNLOCK };

/* Thread t executed as its `no`-th (from 1): an access of memory, or of a mutex (at: which; size: 0). */
void weak_did(struct toy_hash *h, unsigned t, unsigned no, enum weak_access what, unsigned at, unsigned size, bool wrote);
/* It read this byte from the `from_no`-th write of thread `from`; 0, 0: nobody's. */
void weak_read(struct toy_hash *h, unsigned t, unsigned no, unsigned byte, unsigned from, unsigned from_no);
/* The place-th write of this byte that reached memory (from 1) is the `no`-th write of thread t. */
void weak_wrote(struct toy_hash *h, unsigned byte, unsigned place, unsigned t, unsigned no);
/* The place-th operation on the mutex is the `no`-th access of thread t. */
void weak_locked(struct toy_hash *h, unsigned mutex, unsigned place, unsigned t, unsigned no);
/* Something else. */
void weak_other(struct toy_hash *h, uint64_t a, uint64_t b);

/* Of the trace that t has executed, read off its events. `library`: not only mutexes are ordered, but all events that are not accesses
   of memory, as events_dependent says (then it is not comparable with the oracle's). Fails when the events are none that store buffers
   of p->model could have. */
struct toy_hash toy_weak_hash(const struct toy *t, bool library);

/* ---- the oracle ---- */

struct weak_search {
	unsigned model;
	uint64_t most; /* states to look at, 0: any number */
	bool plain;    /* no step goes first, whatever it is: slow, for tests of the oracle */
	uint64_t states;
	bool complete; /* false: there are more than `most` */
};

/*
 * All interleavings of the program's steps and of the ways in which its stores reach memory, to the end (all buffers are empty
 * then; deadlocks too): adds their Shasha-Snir traces to `out`. Knows loads, stores, read-modify-writes, fences, mutexes, creation and joining,
 * and local instructions. main must join all threads.
 */
void weak_traces(const struct toy_program *p, struct weak_search *s, struct toy_set *out);

/* ---- programs ---- */

/* Program number i of this seed: loads, stores, read-modify-writes, fences, release stores and fences, mutexes, skips that depend on what
   was loaded; in every third program accesses of several sizes overlap. */
void weak_random(struct toy_program *p, uint64_t seed, uint64_t i);
/* Does it have accesses of bytes that a compare-and-swap may overlap in part? */
bool weak_overlaps(const struct toy_program *p);

/* Makes p smaller as long as `fails` says that it still fails. */
typedef bool (*weak_fails)(const struct toy_program *p, void *ctx);
void weak_shrink(struct toy_program *p, weak_fails fails, void *ctx);

#endif
