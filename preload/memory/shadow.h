/*
 * The shadow: for every byte of the program's memory, who touched it last and when; and what follows from that: which
 * bytes must be visible to the search (sched/memory.h), and which accesses race.
 *
 * Two accesses of a byte conflict when one of them writes. They are ordered when the one happens before the other by the
 * synchronisation between them (sched/hb.h). Conflicting accesses that nothing orders make their bytes shared, for this
 * session and for ever; in the next search accesses to them are events.
 */
#ifndef SIMUL_SHADOW_H
#define SIMUL_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

/* Once, in the constructor. */
void shadow_init(void);
/* Marks what the session's memory table says is shared; cheap when nothing has changed since the last call. */
void shadow_apply(void);
/* In the zygote, when the threads are parked: the shadow of their stacks and of the program lies in the same place in all
   executions from now on. */
void shadow_prepare(void);
/* The parts of the shadow that are in use, by number from 0; false when there is no such part. */
bool shadow_part(unsigned i, uint64_t *lo, uint64_t *bytes);
/* The page of the shadow that stands for the page of `addr`; 0: none will. */
uint64_t shadow_page(uint64_t addr);
/* All that is reserved for it. */
void shadow_region(uint64_t *lo, uint64_t *hi);
/* Thread t performed an access of shared bytes [addr, addr + size) as an event; its own synchronisation has NOT
   been taken into account in ctl_hb yet. Compares it with those before; reports a race (data_races.c). flags: MEM_*. */
void shadow_event(thread_id t, uint64_t addr, uint64_t size, unsigned flags, uint64_t pc);
/* The running thread's epoch has ended without an event (hb_fence). */
void shadow_fence(void);
/* Memory [addr, addr + size) is new: what was before has nothing to do with it (malloc, a new stack, mmap). */
void shadow_forget(uint64_t addr, uint64_t size);
/* Makes the bytes shared although no race was seen (a spin loop reads them). true when that is news. */
bool shadow_share(uint64_t addr, uint64_t size);
/* Of the stack bytes [lo, hi) of thread t, those that another thread wrote last become shared with the next execution. */
void shadow_discover_foreign(thread_id t, uint64_t lo, uint64_t hi);
/* Accesses until mem_note says `true` once for the sake of spin_probe (spin.h); set anew at each scheduling point. */
#define MEM_BUDGET 20000
extern int64_t mem_budget;

#endif
