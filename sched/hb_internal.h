/*
 * Internals of happens-before, shared by hb.c (threads, objects, events), hb_mark.c (what is known and published) and hb_bytes.c (memory).
 *
 * A thread *knows* the events of other threads that happen before its next one; a clock holds what it knows. A thread that publishes
 * (unlocks, posts, stores with release) makes a *mark*: a reference to its clock as it is, and its own epoch, which then grows. That costs
 * only the reference. The clock is copied when its thread acquires something new while marks still refer to it. A thread that has seen the
 * epoch of a mark already knows everything in it, so most locks cost one comparison.
 */
#ifndef SIMUL_HB_INTERNAL_H
#define SIMUL_HB_INTERNAL_H

#include "sched/hb.h"

struct clock {
	uint32_t refs, cap;
	uint32_t at[]; /* by thread: its latest epoch that happens before; missing entries are 0 */
};

/* What was published. `thread` knew `base` in its `epoch`. With NO_THREAD, several threads published, and `base` is all that they knew,
   their own epochs included. Epoch 0: nothing was published. */
struct mark {
	struct clock *base;
	uint32_t epoch;
	thread_id thread;
};

/* A store in its thread's buffer, and what it will publish. */
struct stored {
	struct stored *next; /* a later one of the same thread */
	struct mark mark;
	thread_id agent;
};

struct hb_thread {
	struct clock *base; /* what it knows of other threads; its own component has no meaning */
	uint32_t epoch;     /* 0: not used yet, counts as 1 */
	struct mark poke;   /* published by the threads that cancelled it or sent it signals */
	struct mark fence;  /* what it knew at its latest release fence */
	struct mark drained; /* like fence, but also renewed by each event that publishes and waits for an empty buffer */
	struct mark heard;  /* published by the stores that it loaded from without acquire since its latest acquire fence */
	struct stored *buffer; /* oldest first */
};

/* A token on its way, or a round of a barrier that some threads have not left. */
struct ticket {
	struct ticket *next;
	uint32_t seq, left;
	struct mark mark;
};

struct hb_object {
	struct mark write;  /* by REL, SEND, SIG and WRITE */
	struct mark shares; /* by RDREL and ARRIVE */
	uint32_t arrivals;  /* in the current round */
	struct ticket *tickets; /* by seq, oldest first */
};

struct cell; /* hb_bytes.c */

struct hb {
	struct arena *arena;
	struct hb_thread *thread;
	struct hb_object *object;
	struct cell **cell; /* a hash table, chained */
	bool overtaking;    /* a mov is no release: hb_thread.drained is maintained */
	bool older;         /* loads may read older stores: `store` is maintained */
	uint32_t threads, objects, cells, buckets;
	uint32_t events;    /* so far */
	uint32_t stores;    /* room in store */
	struct mark *store; /* by event, from 1: what a store published */
};

/* Allocates zeroed memory of the arena, which must have room. */
void *hb_take(struct hb *h, uint64_t size);
void hb_give(struct hb *h, void *p, uint64_t size);

/* Adds a reference to the clock, which may be NULL. */
struct clock *hb_keep(struct clock *c);
/* Empties the mark. */
void hb_forget(struct hb *h, struct mark *m);
/* Acquires the mark: what was published happens before what t does from now on. */
void hb_acquire(struct hb *h, thread_id t, const struct mark *m);
/* Holds the mark until t's next acquire fence: what was published happens before what t does after that. */
void hb_hear(struct hb *h, thread_id t, const struct mark *m);
/* Adds what one mark publishes to another mark. */
void hb_add(struct hb *h, struct mark *to, const struct mark *from);
/* Adds everything that t knows and did to the mark. The caller ends t's epoch. */
void hb_publish(struct hb *h, thread_id t, struct mark *m);
/* Everything that t knows and did, as a mark without a reference of its own: use it at once, or keep it with hb_keep. The caller ends
   t's epoch. */
struct mark hb_knowledge(const struct hb *h, thread_id t);

/* hb_stores.c: adds the mark to what the store that is event `step`, from 1, published. */
void hb_store_publishes(struct hb *h, uint32_t step, const struct mark *m);
/* Returns all of that; NULL: nothing. Valid until the next hb_store_publishes. */
const struct mark *hb_store_published(const struct hb *h, uint32_t step);

/* Processes the accesses of an event to memory. Returns true when something was published. */
bool hb_memory_event(struct hb *h, const struct event *e);

#endif
