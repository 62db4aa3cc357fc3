/*
 * The events of each thread in a row, by number: for TruSt, which asks for parts of the trace that are given by how many events of
 * each thread are in them (a clock), and has no time to look at every event.
 *
 * Made when somebody asks, from nodes that have clocks; what stays on the stack is not done again.
 */
#ifndef SIMUL_THREAD_EVENTS_H
#define SIMUL_THREAD_EVENTS_H

#include "explore/vclock.h"

struct line_item {
	uint32_t node;  /* its index */
	uint8_t joins;  /* it or one before it in its thread is a JOIN */
	uint8_t hard;   /* it or one before it may be blocked by something else than a thread that has to end, or does something after a JOIN:
	                   see preempt.c */
	uint8_t waits;  /* it or one before it is made in a spin loop */
	uint8_t pad_;
};

/* Takes in all nodes that have clocks. false when memory is used up. */
bool lines_extend(struct search *s);
/* Nodes from n on are no more. */
static inline void lines_truncate(struct search *s, uint32_t n)
{
	s->lined = n < s->lined ? n : s->lined;
}

/* The k-th event (from 1) of the slot's thread, and its index. */
static inline const struct line_item *line_item(struct search *s, uint32_t slot, uint32_t k)
{
	const struct vec *v = (struct vec *)vec_data(s, &s->lines) + slot;
	return (struct line_item *)vec_data(s, v) + (k - 1);
}
static inline uint32_t line_event(struct search *s, uint32_t slot, uint32_t k)
{
	return line_item(s, slot, k)->node;
}
/* How many of the slot's events stand before node i. */
uint32_t line_before(struct search *s, uint32_t slot, uint32_t i);

/* What event e, the next of a thread whose last one (NULL: none) is *before, is in its line. */
struct line_item line_next(const struct line_item *before, const struct event *e);

#endif
