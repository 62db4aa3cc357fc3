/* Declarations shared by the files that find the order of a recording's steps. */
#ifndef SIMUL_ORDER_INTERNAL_H
#define SIMUL_ORDER_INTERNAL_H

#include "recorder/order/order.h"

/* An agent's last step that accessed an object in this mode. */
struct touch {
	size_t agent, step;
	uint8_t mode;
	bool woke; /* a FUTEX_WAKE that woke at least one thread */
};

struct object_state {
	size_t n, n_near;
	struct touch *touch;
	object_id *near; /* memory: other objects that share bytes with it */
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
	uint32_t *clock;             /* by step, n_agents each: number of steps of each agent that come before or are it */
	size_t *last;                /* by agent: its last step, or NO_STEP */
	size_t *created, *poked;     /* by thread: the step that created it, or that signalled it since its last step; or NO_STEP */
	size_t *stored, *store_before; /* by thread, by step: the previous buffered store, drained or not, or NO_STEP */
	size_t *update_before;       /* by step: the previous update of its agent, or NO_STEP */
	bool *pending;               /* by agent: no step has waited for its last update yet */
	size_t n;                    /* candidates for the current step */
	struct candidate *candidate;
};

/* Adds `step` to the candidates that come before the current step (order_edges.c). Ignores NO_STEP. */
void order_propose(struct order_walk *w, size_t step, unsigned why);
/* Makes edges to step i of the candidates that do not follow from others, computes its clock, and forgets the candidates. */
void order_decide(struct order_walk *w, size_t i);

/* Finds the memory objects that share bytes. Must be called first (order_objects.c). */
void order_find_near(struct order_walk *w);
/* Proposes the steps that step i comes after because of its object k; order_note_touch records the access for later steps. */
void order_after_object(struct order_walk *w, size_t i, int k);
void order_note_touch(struct order_walk *w, size_t i, int k);

/* Store buffers (order_buffers.c): proposes the steps that an update, a load from the buffer, or a step that needs an empty buffer comes
   after; order_note_buffer records a step for later ones. */
void order_after_buffer(struct order_walk *w, size_t i);
void order_note_buffer(struct order_walk *w, size_t i);

#endif
