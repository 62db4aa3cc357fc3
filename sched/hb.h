/*
 * Happens-before by synchronisation, kept up to date while an execution runs: vector clocks (Mattern 1989; the epochs of
 * FastTrack, Flanagan and Freund, PLDI 2009).
 *
 * It is a part of the order of the trace (every edge here is between events that dependence orders): creation, thread end to join,
 * unlock to lock, the n-th post to the n-th wait, signal to wake-up, the arrivals of a barrier to its passes, once, descriptors,
 * a signal to its handler; and from a memory event with EVF_RELEASE to one with EVF_ACQUIRE that reads what it wrote, or what
 * read-modify-writes made of that. Initialising and destroying an object orders nothing, nor do calls that failed. Two
 * accesses that are not ordered by it are a data race when one of them is not atomic.
 *
 * Fences (hb_fence) are those of C11: what a thread knew at a release fence is carried by what it stores later without release, and what
 * it loads without acquire is learnt at its next acquire fence. Accesses with EVF_PLAIN take no part in that. Under
 * PSO a store that may be atomic or not (a mov) carries as well what the thread knew at its last event that publishes (or EV_FENCE)
 * and that waits for an empty store buffer (event_drains): no later store overtakes that.
 *
 * With store buffers a STORE into the buffer carries what its thread knew when it stored; others can learn it once its UPDATE
 * has happened. (So what the thread did before the STORE happens before the UPDATE, but it is the UPDATE that is in an order with
 * other threads.) A load that takes any byte from its own buffer learns nothing.
 *
 * An epoch of thread t is a number that grows with each of its events that others can learn from. What t does in its epoch c
 * happens before what u does now iff hb_seen(u, t) >= c, for u != t.
 */
#ifndef SIMUL_HB_H
#define SIMUL_HB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sched/event.h"

struct hb;

/* In memory of the arena. NULL when it is too small. model: MODEL_*. */
struct hb *hb_init(struct arena *a, unsigned model);
/*
 * A fence of t in the program (C11; mfence). An EV_FENCE, of which hb_event hears, only says that the buffer is empty. release: what t stores from now on carries what t knows now,
 * even stores without release; ends t's epoch. acquire: t learns what was carried by the stores that it has loaded from without
 * acquire.
 */
void hb_fence(struct hb *h, thread_id t, bool acquire, bool release);
/* Takes an event into account that was just performed. Events come in the order of the trace. A full arena is a failed
   INVARIANT. */
void hb_event(struct hb *h, const struct event *e);
/* Ends t's epoch although nobody learns from it, so that what t did before and does from now on can be told apart. Returns the new one. */
uint32_t hb_new_epoch(struct hb *h, thread_id t);
/* The running epoch of t, >= 1. Like hb_seen it only reads: no call, no allocation. */
uint32_t hb_epoch(const struct hb *h, thread_id t);
/* The latest epoch of `of` that happens before what t does now; 0: none. */
uint32_t hb_seen(const struct hb *h, thread_id t, thread_id of);

#endif
