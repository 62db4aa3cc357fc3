/*
 * What had to come before what in a recorded schedule: the happens-before of its trace, as arrows between steps of
 * different agents (threads, and the drain agents of store buffers).
 */
#ifndef SIMUL_ORDER_H
#define SIMUL_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/recording.h"

/* Why one step comes before another, what tells most first. */
enum order_why {
	ORDER_CREATE = 0, /* a thread was created: its first step */
	ORDER_WAKE,       /* a signal or broadcast (or futex wake): the step that it woke */
	ORDER_JOIN,       /* a thread ended: who joined it */
	ORDER_LOCK,       /* unlocked: locked next */
	ORDER_POST,       /* a semaphore's post: the wait that took it */
	ORDER_BARRIER,    /* arrived: the one who completed the round; that one: who passed */
	ORDER_ONCE,       /* initialised: who found that */
	ORDER_DATA,       /* written to a descriptor: read from it */
	ORDER_SIGNAL,     /* a signal or cancellation: the next step of the thread that gets it */
	ORDER_READS,      /* wrote bytes: read them (the last write before it) */
	ORDER_BUFFER,     /* a store into a buffer: the update that took it to memory */
	ORDER_FORWARD,    /* a store into a buffer: the load of the same thread that found it there */
	ORDER_DRAINED,    /* an update: the step of its thread that waited for an empty buffer */
	ORDER_OTHER,      /* they touch the same thing, and in the other order one might have gone otherwise */
	ORDER_WHYS
};
const char *order_why_text(unsigned why); /* "create", "wake", ...; "?" out of range */

struct order_edge {
	size_t from, to; /* steps from 0, from < to */
	uint8_t why;     /* enum order_why */
};

struct order {
	bool known;              /* false: the recording is too long times too many threads; there are no edges */
	size_t n;
	struct order_edge *edge; /* by `to`, then `from`; one for each pair */
	size_t *first;           /* by step: its first edge as `to`; n_steps + 1 of them, the last one is n */
	size_t n_agents;         /* threads first, then drain agents in the order in which they appear */
	size_t *agent;           /* by step: who made it */
};

/*
 * Together with the order of each agent's own steps the edges are all of happens-before as sched/depend.c has it, but for what a
 * recording does not say: the last step comes after all others (no edges), and a semaphore's tokens are told apart only where its
 * first value follows from the schedule. Edges of kind ORDER_OTHER that follow from others are left out. One kind, ORDER_FORWARD, is
 * between steps of the same thread.
 */
void recording_order(const struct recording *r, struct order *o);
void order_free(struct order *o);

/* ---- parts of it that stand alone (order_tokens.c, order_agents.c) ---- */

/* In which way (enum access_mode) the step touches its object k, as far as a recording tells. */
unsigned order_mode(const struct recording *r, const struct rec_step *s, int k);

/* giver[i] = the step that let step i go on: the signal that woke it, the post that it took, who completed its barrier's
   round; NO_STEP when there is none. */
void order_tokens(const struct recording *r, size_t *giver);

/* agent[i] for each step; returns how many agents there are. */
size_t order_agents(const struct recording *r, size_t *agent);

/* child[o - 1] = the thread that object o of kind OBJ_THREAD stands for, or NO_THREAD. */
void order_children(const struct recording *r, thread_id *child);

#endif
