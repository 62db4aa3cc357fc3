/*
 * Sets of events of the trace, one bit each, and those that an event is related to: for TruSt.
 */
#ifndef SIMUL_TRUST_SWEEP_H
#define SIMUL_TRUST_SWEEP_H

#include "explore/search.h"

/* Empties *v, a set of numbers below n or equal to it. false: no memory. */
bool bits_clear(struct search *s, struct vec *v, uint32_t n);
/* The first element that is not less than i; the last that is less than i (at most n). NO_INDEX: none. */
uint32_t bits_next(struct search *s, const struct vec *v, uint32_t i);
uint32_t bits_before(struct search *s, const struct vec *v, uint32_t i);
static inline void bits_set(struct search *s, struct vec *v, uint32_t i)
{
	((uint64_t *)vec_data(s, v))[i / 64] |= UINT64_C(1) << i % 64;
}

/* What is asked about event *e, in the trace or not. */
struct sweep {
	const struct event *e;
	/* Holds at most for events that conflict with e or touch an object that it touches. */
	bool (*related)(const struct event *e, const struct event *d);
	uint32_t above, below; /* of the events [above, below) */
	const uint32_t *past;  /* but those that this clock covers, which is closed under happens-before; NULL: of all. */
	uint32_t w;            /* its width */
};

/* Adds to *bits the events of other threads that are related to it. Walks along the chains of its objects, no further than where all that
   is left is in `past`. */
void sweep(struct search *s, const struct sweep *x, struct vec *bits);

#endif
