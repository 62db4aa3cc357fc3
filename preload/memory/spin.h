/*
 * Spin loops in the running program. Computes the state of a thread before a memory event, recognizes that the thread iterates without any
 * effect, and fills the table of sched/await.h. docs/await.md explains the method.
 *
 * A state is expensive (a hash of the stack), so it is computed at *places* only: instructions that found the same value again and again
 * while nothing else happened. The *chain* of a thread is the sequence of states that it has passed since it last did anything that other
 * threads could notice. The steps of the chain become edges when a state is in it for the third time (after a second identical iteration),
 * or when a step leads to or from a known state.
 *
 * This is correct only if the state alone decides what the thread does. So between two states the thread may read only its own stack. Other
 * memory that it reads becomes shared, so that the read is an event with a state of its own; until then no edge is added. Also, no
 * other thread may write to its stack in between; bytes for which that happens become shared as well.
 */
#ifndef SIMUL_SPIN_H
#define SIMUL_SPIN_H

#include <stdint.h>

#include "preload/accesses/mem.h"
#include "sched/event.h"

/* The running thread is about to announce op (LOAD, STORE, RMW). Sets op->state and OPF_AWAIT at a place that is known for spinning. Adds
   edges when the thread came back here without any effect. */
void spin_announce(const struct mem_access *a, struct op *op);
/* op was performed, as an event or elided; the thread makes the access next. */
void spin_performed(const struct op *op);
/* The running thread announces another kind of event. Unless it is a yield or a sleep, the thread does not merely spin. */
void spin_other(const struct op *op);
/* The running thread announces a fence as an event. If it has just left a loop, this is where it came to. Called before spin_other. */
void spin_fence(const struct mem_access *a);
/* The event that was given to spin_other was performed. */
void spin_back(unsigned kind);
/* Returns whether the latest accesses of the running thread found the same values again and again. Then other threads should run. */
bool spin_goes_round(void);
/* The running thread gets a value that its registers and stack do not decide (the time): it is not spinning. */
void spin_impure(void);
/* What the running thread should do before an access. */
enum spin_advice {
	SPIN_GO_ON = 0,
	SPIN_GIVE_WAY, /* let other threads run first (EV_GIVE_WAY): the thread may wait for something that they change */
};
/* mem_budget is used up and the access is not shared. Either the reads of a chain are being recorded, or the thread has made very many
   accesses without a scheduling point. If it iterates without any effect, what it reads becomes shared (shadow_share), perhaps
   this access as well. */
enum spin_advice spin_probe(const struct mem_access *a);
/* Returns whether another thread has changed the stack of a thread whose operation in a spin loop is pending. What is known of that
   thread's state is then wrong. The changed bytes become shared with the next execution. */
bool spin_disturbed(void);
/* The running thread is about to unmap memory. What it accessed before may not be read again. */
void spin_unmaps(void);

#endif
