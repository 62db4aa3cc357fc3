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
 * is learnt before that.
 */
#ifndef SIMUL_SPIN_H
#define SIMUL_SPIN_H

#include <stdint.h>

#include "preload/mem.h"
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
/* mem_budget is used up and the access is not shared: either the thread is watched in a chain, or it made very many accesses
   without a scheduling point. If it goes round there, reading the same and writing nothing, what it reads becomes shared
   (shadow_share). Returns whether this access is now shared. */
bool spin_probe(const struct mem_access *a);
/* Before an execution starts. */
void spin_start(void);

#endif
