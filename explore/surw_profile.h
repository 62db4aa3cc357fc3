/*
 * What surw knows of the program from the latest execution that was not cut: which objects threads share, and how many events on
 * those that count in the next execution each thread has.
 *
 * An object is a lock, a queue, ... or a cell of memory (16 bytes; of wide accesses the first and the last). Threads as objects (created,
 * joined) do not count, nor do stores that go into a buffer: their updates do, as the thread's that stores.
 */
#ifndef SIMUL_SURW_PROFILE_H
#define SIMUL_SURW_PROFILE_H

#include "explore/sample.h"

/* An object. */
struct touched {
	uint64_t name;
	thread_id first;  /* who touched it first */
	uint16_t shared;  /* somebody else did, too */
	uint32_t pad_;
};

/* Learns the names of the objects that are new since the last pick. false: no memory. */
bool profile_names(struct search *s, const struct sched_view *view);

/* Does the event (or pending one) count in this execution? */
bool profile_counts(struct search *s, const struct event *e);

/* The same, of a store that goes into a buffer: does its update? */
bool profile_touches(struct search *s, const struct event *e);

/* After an execution: draws what counts in the next one, and counts it, from this one's trace. */
void profile_take(struct search *s, const struct trace *trace);

#endif
