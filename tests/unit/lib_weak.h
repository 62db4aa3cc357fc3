/*
 * A second implementation of store buffers: an oracle that shares nothing with the world and explore/, and Shasha-Snir traces.
 *
 * A Shasha-Snir trace of a complete execution contains: what each thread executed, in order and with which outcome; for each byte that was read,
 * the write that it was read from; for each byte, the order in which the stores to it reached memory; for each mutex, the order in which it was
 * locked and unlocked. Two executions with the same trace are the same for the program. See Abdulla et al., "Stateless model checking for TSO
 * and PSO" (TACAS 2015), section 3.
 */
#ifndef SIMUL_LIB_WEAK_H
#define SIMUL_LIB_WEAK_H

#include "tests/unit/lib_toy.h"

/* ---- Shasha-Snir traces: a hash is the sum of the following, added in any order ---- */

enum weak_access { WEAK_LOAD = 1, WEAK_STORE, WEAK_RMW, WEAK_LOCK, WEAK_UNLOCK };

/* The `no`-th (from 1) action of thread t: an access to memory, or to a mutex (at: which one; size: 0). */
void weak_did(struct toy_hash *h, unsigned t, unsigned no, enum weak_access what, unsigned at, unsigned size, bool wrote);
/* That access read this byte from the `from_no`-th write of thread `from`; 0, 0: the initial value. */
void weak_read(struct toy_hash *h, unsigned t, unsigned no, unsigned byte, unsigned from, unsigned from_no);
/* The place-th write to this byte that reached memory (from 1) is the `no`-th write of thread t. */
void weak_wrote(struct toy_hash *h, unsigned byte, unsigned place, unsigned t, unsigned no);
/* The place-th operation on the mutex is the `no`-th access of thread t. */
void weak_locked(struct toy_hash *h, unsigned mutex, unsigned place, unsigned t, unsigned no);
/* Anything else. */
void weak_other(struct toy_hash *h, uint64_t a, uint64_t b);

/* The hash of the trace that t has executed, computed from its events. With `library`, all events that are not memory accesses are ordered as
   events_dependent says, not only those of mutexes; the hash is then not comparable with the oracle's. Fails when store buffers of p->model
   cannot produce these events. */
struct toy_hash toy_weak_hash(const struct toy *t, bool library);

/* ---- the oracle ---- */

struct weak_search {
	unsigned model;
	uint64_t most; /* number of states to visit; 0: no limit */
	bool plain;    /* no step runs first: slow, for tests of the oracle */
	uint64_t states;
	bool complete; /* false: there are more than `most` */
};

/*
 * Explores all interleavings of the program's steps, and all ways in which its stores reach memory, to the end: then all buffers are empty.
 * Deadlocks count as ends too. Adds the Shasha-Snir traces to `out`. Supports loads, stores, read-modify-writes, fences, mutexes, creation and
 * joining, and local instructions. main must join all threads.
 */
void weak_traces(const struct toy_program *p, struct weak_search *s, struct toy_set *out);

/* ---- programs ---- */

/* Builds program number i of this seed: loads, stores, read-modify-writes, fences, release stores and fences, mutexes, and skips that depend
   on loaded values. In every third program, accesses of several sizes overlap. */
void weak_random(struct toy_program *p, uint64_t seed, uint64_t i);
/* Returns whether it has byte accesses that a compare-and-swap may partly overlap. */
bool weak_overlaps(const struct toy_program *p);

/* Makes p smaller while `fails` returns true. */
typedef bool (*weak_fails)(const struct toy_program *p, void *ctx);
void weak_shrink(struct toy_program *p, weak_fails fails, void *ctx);

#endif
