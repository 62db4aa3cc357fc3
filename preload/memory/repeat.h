/*
 * Reads that repeat the thread's last event, in the running program: finds instructions that spin a number of turns and then give up, leaves out
 * their repetitions, and checks that this loses nothing (sched/repeats.h, docs/await.md).
 */
#ifndef SIMUL_REPEAT_H
#define SIMUL_REPEAT_H

#include "preload/accesses/mem.h"
#include "sched/event.h"

/* Returns whether repeated reads may be left out in this search at all. */
bool repeat_allowed(void);
/* The running thread is about to make access *a of visible memory. Returns whether it only repeats the thread's last event: then it is no event.
   Call it before spin_announce. */
bool repeat_comes(const struct mem_access *a, const struct op *op);
/* Call it after spin_announce. */
void repeat_announced(const struct mem_access *a, const struct op *op);
/* The operation was performed, and the thread makes the access next. `found`: fingerprint of the value in memory. disturbed: its
   state is not the one that was announced. */
void repeat_performed(const struct op *op, uint32_t found, bool disturbed);
/* The running thread announces an operation that is no access of memory. */
void repeat_other(const struct op *op);
/* The yield that was passed to repeat_other was performed. Other threads may have written meanwhile. */
void repeat_back(void);
/* The running thread gets a value that its registers and stack do not determine. */
void repeat_impure(void);
/* Returns whether a yield of the running thread is part of a spin whose repetitions are left out. Then it is no event. */
bool repeat_yields(void);

#endif
