/* What the files that find the order of a recording's steps share. */
#ifndef SIMUL_ORDER_INTERNAL_H
#define SIMUL_ORDER_INTERNAL_H

#include "recorder/order.h"

/* The last step of an agent that touched an object in this way. */
struct touch {
	size_t agent, step;
	uint8_t mode;
	bool told; /* a FUTEX_WAKE that returned that it woke somebody */
};

struct object_state {
	size_t n, n_near;
	struct touch *touch;
	object_id *near; /* memory: other objects with common bytes */
};

struct candidate {
	size_t step;
	uint8_t why;
};

struct order_walk {
	const struct recording *r;
	struct order *o;
	struct object_state *object; /* by id - 1 */
	size_t *giver, *partner;     /* by step */
	thread_id *child;            /* by object id - 1 */
	uint32_t *clock;             /* by step, n_agents each: steps of each agent that come before, numbers from 1 */
	size_t *last;                /* by agent: its last step, or NO_STEP */
	size_t *created, *poked;     /* by thread: the step that created it or signalled it since its last step, or NO_STEP */
	size_t *stored, *store_before; /* by thread, by step: the store into its buffer before, drained or not, or NO_STEP */
	size_t *update_before;       /* by step: the update of its agent before, or NO_STEP */
	bool *pending;               /* by agent: its last update has not been waited for */
	size_t n;                    /* candidates for the step at hand */
	struct candidate *candidate;
};

/* Step `step` comes before the one at hand; NO_STEP is ignored. */
void order_propose(struct order_walk *w, size_t step, unsigned why);

/* Which memory objects have common bytes; to be called first (order_objects.c). */
void order_find_near(struct order_walk *w);
/* Proposes what step i comes after by what it does to its object k; and takes that down for later steps. */
void order_after_object(struct order_walk *w, size_t i, int k);
void order_note_touch(struct order_walk *w, size_t i, int k);

/* Store buffers: proposes what an update, a load from the buffer, and a step that needs an empty buffer come after; and takes a step
   down for later ones (order_buffers.c). */
void order_after_buffer(struct order_walk *w, size_t i);
void order_note_buffer(struct order_walk *w, size_t i);

#endif
