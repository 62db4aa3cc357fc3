/*
 * Happens-before by synchronisation, maintained while an execution runs: vector clocks (Mattern 1989; the epochs of FastTrack, Flanagan and
 * Freund, PLDI 2009).
 *
 * It is a part of the order of the trace: every edge here is between events that dependence orders. The edges are: creation, thread end to
 * join, unlock to lock, the n-th post to the n-th wait, signal to wake-up, the arrivals of a barrier to its passes, once, descriptors, a
 * signal to its handler; and from a memory event with EVF_RELEASE to one with EVF_ACQUIRE that reads what it wrote, or what
 * read-modify-writes made of that. Initialising and destroying an object orders nothing, nor do calls that failed. Two conflicting accesses
 * that it does not order are a data race when one of them is not atomic.
 *
 * Fences (hb_fence) are those of C11. What happened before a release fence is published by the thread's later stores without release. What
 * a thread loads without acquire happens before its events after its next acquire fence. Accesses with EVF_PLAIN do not take part in this.
 * Under PSO, a store that may be atomic or not (a mov) also publishes what the thread knew at its latest event that publishes (or EV_FENCE)
 * and that waits for an empty store buffer (event_drains): no later store overtakes that event.
 *
 * With store buffers, a STORE into the buffer publishes what its thread knew when it stored; other threads can acquire it once its UPDATE
 * has happened. (So what the thread did before the STORE happens before the UPDATE, but the UPDATE is the event that is ordered with other
 * threads.) A load that takes any byte from its own buffer acquires nothing.
 *
 * An epoch of thread t is a number that grows with each of its events that publish. What t does in its epoch c happens before what u does
 * now iff hb_seen(u, t) >= c, for u != t.
 */
#ifndef SIMUL_HB_H
#define SIMUL_HB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sched/event.h"

struct hb;

/* Makes the state in memory of the arena. Returns NULL when the arena is too small. model: MODEL_*. */
struct hb *hb_init(struct arena *a, unsigned model);
/*
 * A fence of t in the program (C11; mfence). (An EV_FENCE, which hb_event gets, only says that the buffer is empty.) release: all later
 * stores of t, even those without release, publish what t knows now; t's epoch ends. acquire: t acquires what the stores published that it
 * has loaded from without acquire.
 */
void hb_fence(struct hb *h, thread_id t, bool acquire, bool release);
/*
 * Processes an event that was just performed. Events come in the order of the trace. A full arena is a failed
 * INVARIANT. Under RC11 (sched/live.h) a load with ALT_OLDER acquires what the store published that it reads
 * (event_reads_from), and a store with ALT_OLDER is not the latest of its bytes.
 */
void hb_event(struct hb *h, const struct event *e);
/* Ends t's epoch although t publishes nothing, so that accesses before and after this call can be distinguished. Returns the new epoch. */
uint32_t hb_new_epoch(struct hb *h, thread_id t);
/* The current epoch of t, >= 1. Like hb_seen, it only reads, calls nothing and allocates nothing. */
uint32_t hb_epoch(const struct hb *h, thread_id t);
/* The latest epoch of `of` that happens before what t does now; 0: none. */
uint32_t hb_seen(const struct hb *h, thread_id t, thread_id of);

#endif
