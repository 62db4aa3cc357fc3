/*
 * The events of each thread by number, as a *line*. TruSt asks for parts of the trace given by a clock (how many events of each thread they
 * contain) and cannot afford to look at every event.
 *
 * Lines are made on demand, from nodes that have clocks. What stays on the stack keeps its items.
 */
#ifndef SIMUL_THREAD_EVENTS_H
#define SIMUL_THREAD_EVENTS_H

#include "explore/trace/vclock.h"

struct line_item {
	uint32_t node;  /* index of the event's node */
	uint8_t joins;  /* it or an earlier event of its thread is a JOIN */
	uint8_t hard;   /* it or an earlier event may be blocked by something else than a thread that has to end, or follows a JOIN: see
			   preempt.c */
	uint8_t waits;  /* it or an earlier event was made in a spin loop */
	uint8_t pad_;
};

/* Adds all nodes that have clocks. Returns false when memory is used up. */
bool lines_extend(struct search *s);
/* Forgets the nodes from n on. */
static inline void lines_truncate(struct trace_state *t, uint32_t n)
{
	t->lined = n < t->lined ? n : t->lined;
}

/* The k-th event (from 1) of the slot's thread, as item and as index. */
static inline const struct line_item *line_item(struct search *s, uint32_t slot, uint32_t k)
{
	const struct vec *v = (struct vec *)vec_data(&s->core, &s->trace.lines) + slot;
	return (struct line_item *)vec_data(&s->core, v) + (k - 1);
}
static inline uint32_t line_event(struct search *s, uint32_t slot, uint32_t k)
{
	return line_item(s, slot, k)->node;
}
/* Returns how many of the slot's events stand before node i. */
uint32_t line_before(struct search *s, uint32_t slot, uint32_t i);

/* Returns the line item of event e, the next of a thread whose latest item is *before (NULL: none). `node` is not set. */
struct line_item line_next(const struct line_item *before, const struct event *e);

#endif
