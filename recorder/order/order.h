/*
 * The happens-before order of a recorded schedule, as edges between steps of different agents (threads, and the drain agents
 * of store buffers).
 */
#ifndef SIMUL_ORDER_H
#define SIMUL_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/recording.h"

/* The reason why `from` comes before `to`. The most informative reasons come first. */
enum order_why {
	ORDER_CREATE = 0, /* from: creates a thread; to: its first step */
	ORDER_WAKE,       /* from: a signal, broadcast or futex wake; to: the step that it woke */
	ORDER_JOIN,       /* from: a thread ends; to: joins it */
	ORDER_LOCK,       /* from: unlocks; to: the next lock */
	ORDER_POST,       /* from: a semaphore's post; to: the wait that took it */
	ORDER_BARRIER,    /* from: arrives; to: completes the round. Or from: completes the round; to: leaves */
	ORDER_ONCE,       /* from: runs the initialization; to: finds it done */
	ORDER_DATA,       /* from: writes to a descriptor; to: reads that data */
	ORDER_SIGNAL,     /* from: a signal or cancellation; to: the next step of the target thread */
	ORDER_READS,      /* from: the last write of some bytes; to: reads them */
	ORDER_BUFFER,     /* from: a store into a buffer; to: the update that moves it to memory */
	ORDER_FORWARD,    /* from: a store into a buffer; to: a load of the same thread that takes it from there */
	ORDER_DRAINED,    /* from: an update; to: the step of its thread that waited for an empty buffer */
	ORDER_OTHER,      /* both access the same object, and the reverse order could have given another result */
	ORDER_WHYS
};
const char *order_why_text(unsigned why); /* "create", "wake", ...; "?" out of range */

struct order_edge {
	size_t from, to; /* steps from 0, from < to */
	uint8_t why;     /* enum order_why */
};

struct order {
	bool known;              /* false: too many steps times threads; there are no edges */
	size_t n;
	struct order_edge *edge; /* sorted by `to`, then `from`; at most one for each pair */
	size_t *first;           /* by step: index of its first incoming edge; n_steps + 1 entries, the last one is n */
	size_t n_agents;         /* threads first, then drain agents in order of their first step */
	size_t *agent;           /* by step: its agent */
};

/*
 * The edges and the program order of each agent give the happens-before relation of sched/depend.c, with two exceptions that a
 * recording does not determine: the last step comes after all others but gets no edges for that, and a semaphore's posts are
 * assigned to waits only where its initial value follows from the schedule. Edges of kind ORDER_OTHER that follow from others are
 * left out. Only edges of kind ORDER_FORWARD are between steps of the same thread.
 */
void recording_order(const struct recording *r, struct order *o);
void order_free(struct order *o);

/* ---- parts that can be used alone (order_tokens.c, order_agents.c) ---- */

/* Returns how (enum access_mode) the step accesses its object k, as far as a recording shows. */
unsigned order_mode(const struct recording *r, const struct rec_step *s, int k);

/* Sets giver[i] to the step that allowed step i to proceed: the signal that woke it, the post that it took, the arrival that
   completed its barrier's round; NO_STEP when there is none. */
void order_tokens(const struct recording *r, size_t *giver);

/* Sets agent[i] for each step; returns the number of agents. */
size_t order_agents(const struct recording *r, size_t *agent);

/* Sets child[o - 1] to the thread that object o of kind OBJ_THREAD represents, or to NO_THREAD. */
void order_children(const struct recording *r, thread_id *child);

#endif
