/*
 * Spin loops in the running program: computes the state of a thread before a memory event, notices that it goes round without
 * effect, and fills the table of sched/await.h.
 *
 * States are costly (a hash of the stack), so they are computed at *places* only: instructions that were seen to find the same again
 * and again, with nothing else going on. A thread's *chain* is the states it has passed since it last did anything that
 * others could notice. When a state comes for the third time in it (a second identical round), or when it comes to or from a state
 * that is known already, its steps become edges.
 *
 * That holds only if the thread's state is all that decides: what it reads between two states must lie in its own
 * stack. Other memory that it reads there becomes shared, so that reading it is an event with a state of its own; nothing
 * is learnt before that. And nobody else may write to its stack meanwhile: bytes of which that is seen become shared as well.
 */
#ifndef SIMUL_SPIN_H
#define SIMUL_SPIN_H

#include <stdint.h>

#include "preload/accesses/mem.h"
#include "sched/event.h"

/* The running thread is about to announce op (LOAD, STORE, RMW). Sets op->state and OPF_AWAIT where the place is
   known to spin; learns an edge when it came here again without effect. */
void spin_announce(const struct mem_access *a, struct op *op);
/* op was performed, as an event or silently; the access itself comes next. */
void spin_performed(const struct op *op);
/* The running thread announces another kind of event: what it does is no pure spinning, unless it is a yield or a sleep. */
void spin_other(const struct op *op);
/* The running thread announces a fence as an event: where it stands now is where it came to from a loop that it left. Before spin_other. */
void spin_fence(const struct mem_access *a);
/* The event of which spin_other was told was performed. */
void spin_back(unsigned kind);
/* Did the running thread find the same again and again lately? Then others should run. */
bool spin_goes_round(void);
/* The running thread learns something that its registers and stack do not decide (the time): it is not spinning. */
void spin_impure(void);
enum spin_advice {
	SPIN_GO_ON = 0,
	SPIN_GIVE_WAY, /* first let other threads go on (EV_GIVE_WAY): they may have to change what the thread waits for */
};
/* mem_budget is used up and the access is not shared: either the thread is watched in a chain, or it made very many accesses
   without a scheduling point. If it iterates there without any effect, what it reads becomes shared (shadow_share), maybe this access as
   well. */
enum spin_advice spin_probe(const struct mem_access *a);
/* Has some thread's stack been changed by another thread since it announced the operation in a spin loop that is still pending? Then what
   is known of its
   state does not hold. The bytes that others wrote there become shared with the next execution. */
bool spin_disturbed(void);
/* Memory is about to be unmapped: what the running thread accessed before may not be looked at again. */
void spin_unmaps(void);
/* Before an execution starts. */
void spin_start(void);

#endif
