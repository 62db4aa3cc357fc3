/*
 * Spin loops in the running program. Computes the state of a thread before a memory event, recognizes that the thread iterates without any
 * effect, and fills the table of sched/await.h. docs/await.md explains the method.
 *
 * A state is expensive (a hash of the stack), so it is computed at *places* only: instructions that found the same value again and again
 * while nothing else happened. The *chain* of a thread is the sequence of its states since its last action that other threads could notice.
 * The steps of the chain become edges when a state is in it for the third time (after a second identical iteration), or when a step leads
 * to or from a known state.
 *
 * This is correct only if the state alone decides what the thread does. So between two states the thread may read only its own stack. Other
 * memory that it reads becomes shared, so that the read is an event with a state of its own; until then no edge is added. Also, no other
 * thread may write to its stack in between. Stack bytes that another thread writes become shared as well.
 */
#ifndef SIMUL_SPIN_H
#define SIMUL_SPIN_H

#include <stdint.h>

#include "preload/base/access.h"
#include "sched/event.h"

/* Call it when the running thread is about to announce op (LOAD, STORE, RMW). Sets op->state and OPF_AWAIT at a place that is known for
   spinning. Adds edges if the thread came back to a state without any effect. */
void spin_announce(const struct mem_access *a, struct op *op);
/* Call it when op was performed, as an event or elided. The thread makes the access next. */
void spin_performed(const struct op *op);
/* Call it when the running thread announces another kind of event. Unless this is a yield or a sleep, the thread does not merely spin. */
void spin_other(const struct op *op);
/* Call it before spin_other when the running thread announces a fence as an event. If the thread has just left a loop, the fence is where
   it landed. */
void spin_fence(const struct mem_access *a);
/* Call it when the event that was passed to spin_other was performed. */
void spin_back(unsigned kind);
/* Returns whether the latest accesses of the running thread found the same values again and again. Then other threads should run. */
bool spin_goes_round(void);
/* Call it when the running thread gets a value that its registers and stack do not determine, such as the time. The thread is not spinning
   then. */
void spin_impure(void);
/* What the running thread should do before an access. */
enum spin_advice {
	SPIN_GO_ON = 0,
	SPIN_GIVE_WAY, /* let other threads run first (EV_GIVE_WAY): the thread may wait for something that they change */
};
/* mem_budget is used up and the access is not shared. Either the reads of a chain are being recorded, or the thread has made very many
   accesses without a scheduling point. If the thread iterates without any effect, the memory that it reads becomes shared (shadow_share),
   perhaps also that of this access. */
enum spin_advice spin_probe(const struct mem_access *a);
/* Returns whether another thread has changed the stack of a thread whose operation in a spin loop is pending. The known state of that
   thread is wrong then. The changed bytes become shared in the next execution. */
bool spin_disturbed(void);
/* Call it when the running thread is about to unmap memory. Afterwards simul must not read the memory that the thread accessed before. */
void spin_unmaps(void);

#endif
