/*
 * Sets of trace events as bit sets, and the events that a given event is related to: for TruSt.
 */
#ifndef SIMUL_TRUST_SWEEP_H
#define SIMUL_TRUST_SWEEP_H

#include "explore/search.h"

/* Makes *v the empty set of numbers in [0, n]. Returns false when memory is used up. */
bool bits_clear(struct core *s, struct vec *v, uint32_t n);
/* Returns the first element >= i; the last element < i (i at most n). NO_INDEX: none. */
uint32_t bits_next(struct core *s, const struct vec *v, uint32_t i);
uint32_t bits_before(struct core *s, const struct vec *v, uint32_t i);
static inline void bits_set(struct core *s, struct vec *v, uint32_t i)
{
	((uint64_t *)vec_data(s, v))[i / 64] |= UINT64_C(1) << i % 64;
}

/* A query about event *e, which is in the trace or not. */
struct sweep {
	const struct event *e;
	/* Decides which events d are related. It may return true only for a d that conflicts with e or touches an object that e touches. */
	bool (*related)(const struct event *e, const struct event *d);
	uint32_t above, below; /* the walk considers the events [above, below) */
	const uint32_t *past;  /* it leaves out events that this clock covers; the clock is closed under happens-before. NULL: it leaves out none */
	uint32_t w;            /* width of that clock */
};

/* Adds to *bits the related events of other threads. Walks along the chains of e's objects, and stops where everything left is in
   `past`. */
void sweep(struct search *s, const struct sweep *x, struct vec *bits);

#endif
