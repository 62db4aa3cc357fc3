/*
 * Threads that poll give way, or a sampled execution need not end: a thread of the highest priority that waits for another
 * one by asking again and again would ask for ever.
 *
 * A thread *asks to give way* when it yields, sleeps or goes round a spin loop; and when it repeats itself: GIVEWAY_REPEATS
 * events in a row that it has done just so among its latest SAMPLE_RECENT (the same operation at the same place with the same outcome
 * and value), where an attempt that failed or timed out counts for 32; or does GIVEWAY_STREAK events in a row while nobody else does any. The first GIVEWAY_FREE times in an execution nothing comes of it.
 * After that it is passed over until there were r events of others, or until nobody else can go on; r is drawn from 1 .. the square of the number
 * of times that it has asked beyond those. So the rounds of a thread that polls are about the cube root of the events that it waits for, also
 * when several poll; and it can still go on at any moment at which what it waits for has come.
 *
 * Priorities stay what they are meanwhile. docs/sampling.md says what that means for the guarantees.
 */
#ifndef SIMUL_GIVEWAY_H
#define SIMUL_GIVEWAY_H

#include "explore/sample.h"

#define GIVEWAY_FREE 3u
#define GIVEWAY_REPEATS 128u
#define GIVEWAY_STREAK 1024u

/* An event of the running execution. */
void giveway_note(struct search *s, const struct event *e);

/* To be called by pick after all events were noted: the indices of the choices whose threads need not give way (of those whose turn comes
   first, when all have to), in order. *n: how many, at least 1. NULL when memory is used up. Good until the next call. */
const uint32_t *giveway_choices(struct search *s, const struct sched_view *view, uint32_t *n);

#endif
