/*
 * Spin loops in the running program: computes the state of a thread before a memory event, notices that it goes round without
 * effect, and fills the table of sched/await.h.
 */
#ifndef SIMUL_SPIN_H
#define SIMUL_SPIN_H

#include <stdint.h>

#include "preload/mem.h"
#include "sched/event.h"

/* The running thread is about to announce op (LOAD, STORE, RMW). Sets op->state and OPF_AWAIT where the place is
   known to spin; learns an edge when it came here again without effect. */
void spin_announce(const struct mem_access *a, struct op *op);
/* op was performed; it found a value with this fingerprint. */
void spin_performed(const struct op *op, uint32_t found);
/* The running thread performs another kind of event: what it does is no pure spinning, unless it is a yield, sleep or the
   like. */
void spin_other(unsigned kind);
/* mem_budget is used up: the running thread made very many accesses without a scheduling point. If it goes round, reading the
   same and writing nothing, what it reads becomes shared (shadow_share). Returns whether this access is now shared. */
bool spin_probe(const struct mem_access *a);
/* Before an execution starts. */
void spin_start(void);

#endif
