/*
 * What surw knows about the program from the latest execution that was not cut: which objects threads share, and how many events each
 * thread has on the objects that count in the next execution.
 *
 * An object is a lock, a queue, ... or a memory cell (16 bytes; of wide accesses the first and the last cell). Threads as objects (created,
 * joined) do not count, nor do stores that go into a buffer. Their updates count, as events of the storing thread.
 */
#ifndef SIMUL_SURW_PROFILE_H
#define SIMUL_SURW_PROFILE_H

#include "explore/sampling/sample.h"

/* An object. */
struct touched {
	uint64_t name;
	thread_id first;  /* the thread that touched it first */
	uint16_t shared;  /* another thread touched it, too */
	uint32_t pad_;
};

/* Finds the names of the objects that are new since the latest pick. Returns false when memory is used up. */
bool profile_names(struct core *s, const struct sched_view *view);

/* Returns the name of the object obj[k] of e; 0: none that could count. */
uint64_t profile_name(struct core *s, const struct event *e, unsigned k);

/* Returns whether the event, performed or pending, counts in this execution. */
bool profile_counts(struct core *s, const struct event *e);

/* Returns whether the event counts, where a store that goes into a buffer counts like its update. */
bool profile_touches(struct core *s, const struct event *e);

/* After an execution: draws what counts in the next one, and counts those events in this one's trace. */
void profile_take(struct core *s, const struct trace *trace);

#endif
