/*
 * Polling threads give way, since otherwise a sampled execution might not end: a thread of the highest priority that polls for another
 * thread would poll for ever.
 *
 * A thread *asks to give way* when it yields, sleeps or iterates a spin loop. It also does when it does GIVEWAY_STREAK events in a row
 * while no other thread does any, or repeats itself: GIVEWAY_REPEATS events in a row that equal one of its latest SAMPLE_RECENT events
 * (same operation, place, outcome and value). A failed or timed-out attempt counts for 32. The first GIVEWAY_FREE requests in an execution
 * have no effect. After that the thread is passed over until there were r events of other threads; r is drawn from
 * 1 .. the square of the number of its requests beyond the free ones. If all threads that can continue are passed
 * over, one of them is drawn and goes on until it asks again: rarely one that asked often. (It must not be the one
 * whose delay ends first: two threads that poll for each other in turn would have to outdo each other's delays.) So a
 * polling thread iterates about as often as the cube root of the number of events that it waits for, also when several
 * threads poll. It can still run at any moment after its condition has become true.
 *
 * Priorities do not change in the meantime. docs/sampling.md says what that means for the guarantees.
 */
#ifndef SIMUL_GIVEWAY_H
#define SIMUL_GIVEWAY_H

#include "explore/sampling/sample.h"

#define GIVEWAY_FREE 3u
#define GIVEWAY_REPEATS 128u
#define GIVEWAY_STREAK 1024u

/* Returns the next event of the running execution that was not returned before, and counts it for its thread; NULL when there is none. */
const struct event *giveway_event(struct core *s, const struct trace *trace);

/* Passes over a thread until there were that many further events. It may go on earlier if no other thread can. */
void giveway_pass_over(struct core *s, struct runner *r, uint32_t events);

/* Returns the indices of the choices whose threads need not give way, in order; if all must give way, those of one that
   is drawn. *n: how many, at least 1. Call it from pick after all events were processed. NULL when memory is used up.
   Valid until the next call. */
const uint32_t *giveway_choices(struct core *s, const struct sched_view *view, uint32_t *n);

#endif
