/*
 * The memory model of C11 and C++11, as RC11 repairs it: the events of an execution, the store that each load reads,
 * the modification order of each place, and whether the newest event is consistent with the others.
 *
 * Paper: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing sequential consistency in C/C++11" (PLDI 2017).
 *  Paper                     Here
 *    sb                        number: events of a thread, counted from 1
 *    rf                        reads_from
 *    mo                        older, newer: a list for each place
 *    rb                        a load comes before each store that is newer than the one it reads
 *    sw, hb                    clocks (rc11_views.c)
 *    coherence, atomicity      rc11_order.c
 *    race                      rc11_race.c
 *    psc                       rc11_search.c
 *    no thin air               each event is added after all events that it depends on
 *
 * Differences from the paper: release sequences are those of C++20 (a later store of the same thread does not continue
 * one), and a compare-and-swap that fails is a load with its own order. A read-modify-write is one event: its store
 * comes directly after the store that it reads, so nothing can come between the two parts. `consume` counts as
 * `acquire`. A weak compare-and-swap does not fail without a reason.
 *
 * The start and the end of a thread are events, since psc needs them: what a thread does before it creates another one
 * comes before all that the other one does.
 *
 * An event is an index into the list of events, in the order in which they were added; stores are named by index + 1,
 * and RC11_INITIAL is the value that a place had at first. Everything lies in one region of memory, without pointers.
 */
#ifndef SIMUL_RC11_H
#define SIMUL_RC11_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/memory_order.h"

enum rc11_kind {
	RC11_LOAD,
	RC11_STORE,
	RC11_UPDATE, /* a read-modify-write that always writes */
	RC11_CAS,    /* writes if it finds `expected` */
	RC11_FENCE,
	RC11_LOCK,   /* of a mutex, which is a place of its own: reads an UNLOCK or the initial value, as a read-modify-write that acquires */
	RC11_UNLOCK, /* a store that releases; comes directly after its thread's LOCK */
	RC11_CREATE, /* creates thread `other` */
	RC11_START,  /* first event of a thread that `other` created */
	RC11_END,    /* last event of a thread */
	RC11_JOIN,   /* after the last event of thread `other` */
	RC11_OTHER,  /* of no place; rc11_knows says what happens before it */
	RC11_CALL    /* on an object of the library, or on several that calls connect, which is a place of its own:
			reads the CALL before it */
};

/* What an UPDATE writes, given what it found. */
enum rc11_update { RC11_EXCHANGE, RC11_ADD, RC11_SUB, RC11_AND, RC11_OR, RC11_XOR, RC11_NAND };

#define RC11_INITIAL 0u

/* Most threads of a running program. */
#define RC11_THREADS 32u

/* An operation before it is performed. */
struct rc11_op {
	uint8_t kind;     /* enum rc11_kind */
	uint8_t order;    /* enum rc11_order */
	uint8_t fail;     /* CAS: its order when it fails */
	uint8_t update;   /* UPDATE: enum rc11_update. CALL: for the caller, as operand and expected */
	uint8_t size;     /* bytes of the place: 1, 2, 4 or 8 */
	uint8_t pad_;
	uint16_t thread;
	uint32_t other;   /* CREATE, START, JOIN: the other thread. CALL: the caller's number for what it does */
	uint32_t place;   /* what rc11_place returned */
	uint64_t operand; /* value to store, or of the update */
	uint64_t expected;
};

struct rc11_event {
	struct rc11_op op;
	uint64_t found;        /* value that was read */
	uint64_t written;
	uint32_t reads_from;   /* the store that was read */
	uint32_t after;        /* the store after which this one was placed when it was added */
	uint32_t older, newer; /* neighbours in modification order; `newer` is 0 at its end */
	uint32_t readers;      /* index + 1 of the newest event that reads this store; 0: none */
	uint32_t next_reader;  /* index + 1 of the next older event that reads the same store */
	uint32_t before;       /* index + 1 of the thread's previous event; 0: none */
	uint32_t number;       /* among the events of its thread, from 1 */
	uint8_t order;         /* the order that counts: of a failed CAS, that of failure */
	uint8_t reads, writes;
	uint8_t pad_;
	uint32_t apart; /* index + 1 of the thread's latest event before it that is not of its place; 0: none */
	uint64_t followed; /* number of the last search that followed psc from this store and from all newer ones */
};

struct rc11_place {
	uint64_t value;   /* initial */
	uint32_t oldest;  /* the first store after the initial value; 0: none */
	uint32_t latest;
	uint32_t readers; /* of the initial value */
	uint32_t plain; /* plain accesses of it */
};

/* Rules that tests switch off, to show that they are needed. */
enum rc11_without {
	RC11_WITHOUT_PSC = 1,
	RC11_WITHOUT_FAIL_ORDER = 2, /* a failed CAS has its order of success */
	RC11_WITHOUT_RELEASE_SEQUENCE = 4, /* an UPDATE does not continue one */
	RC11_WITHOUT_OLD_PLACES = 8, /* modification order is the order of execution */
	RC11_WITHOUT_FENCES = 16, /* release and acquire fences order nothing */
	RC11_WITHOUT_RACES = 32, /* no accesses race */
	RC11_WITHOUT_PLAIN_BEFORE = 64, /* an atomic access does not race with an earlier plain one */
	RC11_WITHOUT_PLAIN_AFTER = 128, /* a plain access does not race with an earlier atomic one */
	RC11_WITHOUT_RACING_LOADS = 256, /* a load does not race with an earlier store */
	RC11_WITHOUT_RACES_BY_HB = 512, /* accesses of two threads always race: only the order of a thread counts */
	RC11_WITHOUT_LONG_CYCLES = 1024 /* a cycle of seq_cst accesses has at most two of them */
};

struct rc11_limits {
	uint32_t threads, events, places;
};

struct rc11 {
	struct rc11_limits limits;
	uint32_t n;      /* events */
	uint32_t places;
	uint32_t strong; /* events that are seq_cst */
	uint32_t fences; /* of these, fences */
	uint32_t without; /* enum rc11_without */
	uint32_t pad_;
	uint64_t searches; /* for cycles, so far */
	/* Where the arrays begin, in bytes from this struct. */
	size_t events_at, places_at, last_at, first_fence_at, clocks_at, reach_at;
};

/* What a search for a cycle needs for each thread (rc11_search.c). */
#define RC11_REACH_BYTES 24u

/* Clocks of an event: for each thread, a number of events. */
enum rc11_clock {
	RC11_HB,       /* what happens before it, itself included */
	RC11_PAST,     /* everything that it depends on: also through stores that were read without synchronization */
	RC11_ACQUIRED, /* what an acquire fence after it would acquire: the thread has read it with relaxed loads */
	RC11_RELEASED, /* what the latest release fence of its thread, up to this event, published */
	RC11_MESSAGE,  /* what a load that acquires gets from it; only of stores */
	RC11_CLOCKS
};

enum rc11_verdict {
	RC11_CONSISTENT,
	RC11_INCOHERENT, /* so is every older store in its place */
	RC11_TORN,       /* two read-modify-writes read one store, or a store lies between the parts of one */
	RC11_CYCLIC      /* no order of the seq_cst events exists */
};

/* Returns the bytes that a model with these limits needs. */
size_t rc11_bytes(struct rc11_limits limits);

/* Makes an empty model in memory of rc11_bytes() bytes, aligned to 8. */
void rc11_init(struct rc11 *g, struct rc11_limits limits);

/* Adds a place that holds `value`. Returns its number, or UINT32_MAX when there are too many. */
uint32_t rc11_place(struct rc11 *g, uint64_t value);

/* Forgets the events, and keeps the places. */
void rc11_clear(struct rc11 *g);

/*
 * Adds an event as the newest one. A load, UPDATE or CAS reads `store`, a STORE is placed directly after it in modification order, a CAS or
 * UPDATE that writes too. Whether that is consistent is not checked. Returns false when there are too many events or threads.
 */
bool rc11_push(struct rc11 *g, const struct rc11_op *op, uint32_t store);

/* Removes the newest event. */
void rc11_pop(struct rc11 *g);

/* Returns whether the newest event is consistent, if the events before it are. */
enum rc11_verdict rc11_verdict(struct rc11 *g);

/*
 * ---- rc11_race.c ---- Returns index + 1 of an event before event i that races with it, or 0. Two accesses of one
 * place race if their threads differ, one of them writes, one is plain, and neither happens before the other. The
 * behaviour of a program with a race is undefined.
 */
uint32_t rc11_race(const struct rc11 *g, uint32_t i);

/*
 * ---- rc11_search.c ---- Returns whether the order of the seq_cst events has a cycle, if it had none without the
 * newest event, which is an access.
 */
bool rc11_leads_back(struct rc11 *g);

/* ---- rc11_views.c ---- */
/* Computes the clocks of the newest event. */
void rc11_views(struct rc11 *g);
/* Adds to what happens before event i, the last one of its thread: for each thread, that many of its events. */
void rc11_knows(struct rc11 *g, uint32_t i, const uint32_t *clock);
/* The same. The event also depends on all that these events depend on. */
void rc11_depends(struct rc11 *g, uint32_t i, const uint32_t *clock);

static inline struct rc11_event *rc11_event(const struct rc11 *g, uint32_t i)
{
	return (struct rc11_event *)((char *)g + g->events_at) + i;
}
static inline struct rc11_place *rc11_place_at(const struct rc11 *g, uint32_t place)
{
	return (struct rc11_place *)((char *)g + g->places_at) + place;
}
/* index + 1 of the last event of each thread; 0: none. */
static inline uint32_t *rc11_last(const struct rc11 *g)
{
	return (uint32_t *)((char *)g + g->last_at);
}
/* index + 1 of the first seq_cst fence of each thread; 0: none. */
static inline uint32_t *rc11_first_fence(const struct rc11 *g)
{
	return (uint32_t *)((char *)g + g->first_fence_at);
}
static inline uint32_t *rc11_clock(const struct rc11 *g, uint32_t i, enum rc11_clock which)
{
	return (uint32_t *)((char *)g + g->clocks_at) + ((size_t)i * RC11_CLOCKS + which) * g->limits.threads;
}
/* Returns whether the clock covers event i. */
static inline bool rc11_covers(const struct rc11 *g, const uint32_t *clock, uint32_t i)
{
	const struct rc11_event *e = rc11_event(g, i);
	return clock[e->op.thread] >= e->number;
}
/* The latest store of a place, or RC11_INITIAL. */
static inline uint32_t rc11_latest(const struct rc11 *g, uint32_t place)
{
	return rc11_place_at(g, place)->latest;
}
/* The first of the list of events that read a store of this place. */
static inline uint32_t *rc11_readers(const struct rc11 *g, uint32_t place, uint32_t store)
{
	return store ? &rc11_event(g, store - 1)->readers : &rc11_place_at(g, place)->readers;
}
/* The store that comes directly after this one of the place; 0: none. */
static inline uint32_t rc11_newer(const struct rc11 *g, uint32_t place, uint32_t store)
{
	return store ? rc11_event(g, store - 1)->newer : rc11_place_at(g, place)->oldest;
}
/* Returns whether an operation reads a place. */
static inline bool rc11_reading(const struct rc11_op *op)
{
	return op->kind == RC11_LOAD || op->kind == RC11_UPDATE || op->kind == RC11_CAS || op->kind == RC11_LOCK ||
	       op->kind == RC11_CALL;
}

/* Returns whether an operation reads what comes before it in the chain of its place, and only one can read that. Others
   give way to it, and cannot read it. */
static inline bool rc11_chained(const struct rc11_op *op)
{
	return op->kind == RC11_LOCK || op->kind == RC11_CALL;
}

/* Returns whether an event is an access of a place. A CALL is none: what it orders is what it is said to know. */
static inline bool rc11_accesses(const struct rc11_event *e)
{
	return (e->reads || e->writes) && e->op.kind != RC11_CALL;
}
static inline bool rc11_same_place(const struct rc11_event *a, const struct rc11_event *b)
{
	return rc11_accesses(a) && rc11_accesses(b) && a->op.place == b->op.place;
}
/* Returns whether the event takes part in the order of the seq_cst events. */
static inline bool rc11_strong(const struct rc11_event *e)
{
	return e->order == RC11_SEQ_CST && (rc11_accesses(e) || e->op.kind == RC11_FENCE);
}
static inline bool rc11_strong_fence(const struct rc11_event *e)
{
	return e->order == RC11_SEQ_CST && e->op.kind == RC11_FENCE;
}
static inline bool rc11_is_plain(const struct rc11_event *e)
{
	return e->order == RC11_PLAIN && rc11_accesses(e);
}

/* Returns whether an operation places a store that it has not read. */
static inline bool rc11_storing(const struct rc11_op *op)
{
	return op->kind == RC11_STORE || op->kind == RC11_UNLOCK;
}

#endif
