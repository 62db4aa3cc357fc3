/*
 * Inside of happens-before: what hb.c (threads, objects, events), hb_mark.c (what is known and published) and hb_bytes.c
 * (memory) have in common.
 *
 * What a thread knows of the others is a clock. A thread that publishes (unlocks, posts, stores with release) hands out a
 * *mark*: a reference to its clock, as it is, and its own epoch, which then grows. That costs nothing but the reference; the
 * clock is copied when its thread learns something new while marks still refer to it. A thread that has seen the epoch of a
 * mark knows all of it already, so most locks are one comparison.
 */
#ifndef SIMUL_HB_INTERNAL_H
#define SIMUL_HB_INTERNAL_H

#include "sched/hb.h"

struct clock {
	uint32_t refs, cap;
	uint32_t at[]; /* by thread: its latest epoch that happens before; what is missing is 0 */
};

/* What was published. `thread` knew `base` in its `epoch`; or, with NO_THREAD, several threads published and `base` is all that
   they knew, their own epochs included. Nothing was published: epoch 0. */
struct mark {
	struct clock *base;
	uint32_t epoch;
	thread_id thread;
};

/* A store that is in its thread's buffer, and what it will publish. */
struct stored {
	struct stored *next; /* a later one of the same thread */
	struct mark mark;
	thread_id agent;
};

struct hb_thread {
	struct clock *base; /* what it knows of others; its own component means nothing */
	uint32_t epoch;     /* 0: never mentioned, then 1 */
	struct mark poke;   /* by who cancelled it or sent it signals */
	struct mark fence;  /* what it knew at its last release fence */
	struct mark drained; /* the same, or at a later event that published and waited for an empty buffer */
	struct mark heard;  /* what was carried by the stores that it loaded from without acquire, since its last acquire fence */
	struct stored *buffer; /* oldest first */
};

/* A token on its way, or a round of a barrier that not all have left. */
struct ticket {
	struct ticket *next;
	uint32_t seq, left;
	struct mark mark;
};

struct hb_object {
	struct mark write;  /* by REL, SEND, SIG and WRITE */
	struct mark shares; /* by RDREL and ARRIVE */
	uint32_t arrivals;  /* in the running round */
	struct ticket *tickets; /* by seq, oldest first */
};

struct cell; /* hb_bytes.c */

struct hb {
	struct arena *arena;
	struct hb_thread *thread;
	struct hb_object *object;
	struct cell **cell; /* a hash table, chained */
	bool overtaking;    /* a mov is no release: hb_thread.drained is kept */
	uint32_t threads, objects, cells, buckets;
};

/* Zeroed memory of the arena, which must have room. */
void *hb_take(struct hb *h, uint64_t size);
void hb_give(struct hb *h, void *p, uint64_t size);

/* One more refers to the clock, which may be NULL. */
struct clock *hb_keep(struct clock *c);
/* Nothing is published there any more. */
void hb_forget(struct hb *h, struct mark *m);
/* What was published happens before what t does from now on. */
void hb_learn(struct hb *h, thread_id t, const struct mark *m);
/* What was published happens before what t does after its next acquire fence. */
void hb_hear(struct hb *h, thread_id t, const struct mark *m);
/* Adds what one mark stands for to another. */
void hb_add(struct hb *h, struct mark *to, const struct mark *from);
/* Adds all that t knows and did to the mark. The caller ends t's epoch. */
void hb_publish(struct hb *h, thread_id t, struct mark *m);
/* All that t knows and did, to be added to something at once or kept with hb_keep. The caller ends t's epoch. */
struct mark hb_knowledge(const struct hb *h, thread_id t);

/* The accesses of an event to memory. true: something was published. */
bool hb_memory_event(struct hb *h, const struct event *e);

#endif
