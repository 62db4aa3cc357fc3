/*
 * The shadow: for every byte of the program's memory, which threads accessed it last and when. It decides which bytes must be visible to
 * the search (sched/memory.h) and which accesses race.
 *
 * Two accesses of a byte conflict when one of them writes. They are ordered when synchronisation makes one happen before the other
 * (sched/hb.h). Conflicting accesses that nothing orders make their bytes shared until the end of the session: in the next search, accesses
 * to them are events.
 */
#ifndef SIMUL_SHADOW_H
#define SIMUL_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

/* Reserves the shadow. Called once, in the constructor. Ends the session when there is no room. */
void shadow_init(void);
/* Marks the bytes in the shadow that are shared according to the session's memory table. Cheap when the table has not changed since the
   last call. */
void shadow_apply(void);
/* Reserves the places in the shadow for the program and for the stacks of parked threads, so that these places are the same in all
   executions. Called in the zygote, when the threads are parked. */
void shadow_prepare(void);
/* Sets *lo and *bytes to a part of the shadow that is in use; parts are numbered from 0. Returns false when there is no such part. */
bool shadow_part(unsigned i, uint64_t *lo, uint64_t *bytes);
/* Returns the address of the page of records for the page of `addr`, and makes it if needed; 0 when there is no room for one. */
uint64_t shadow_page(uint64_t addr);
/* Sets [*lo, *hi) to all memory that is reserved for the shadow. */
void shadow_region(uint64_t *lo, uint64_t *hi);
/* Records an access of shared bytes [addr, addr + size) that thread t performed as an event; flags: MEM_*. Compares it with earlier
   accesses and reports races (data_races.h), except with MEM_CHANGE. Must be called before ctl_hb includes the synchronisation of this event. */
void shadow_event(thread_id t, uint64_t addr, uint64_t size, unsigned flags, uint64_t pc);
/* Moves *at to the first byte from there on, but before `end`, that lies in a page with visible bytes. Returns false if there is none. */
bool shadow_next_visible(uint64_t *at, uint64_t end);
/* Call it when the running thread has a new epoch without an event (hb_fence). */
void shadow_fence(void);
/* Forgets all accesses of [addr, addr + size): the memory is new (malloc, a new stack, mmap). */
void shadow_forget(uint64_t addr, uint64_t size);
/* Makes the bytes shared at once because a spin loop reads them, although no conflict was seen. Returns true when one
   of them was not shared yet. In a forced schedule: only those that became shared in this way when it was recorded. */
bool shadow_share(uint64_t addr, uint64_t size);
/* Makes the bytes shared from the next execution on, although no conflict was seen. */
void shadow_share_next(uint64_t addr, uint64_t size);
/* [lo, hi) is on the stack of thread t. Makes those of its bytes shared that another thread wrote last, from the next execution on. */
void shadow_discover_foreign(thread_id t, uint64_t lo, uint64_t hi);
/* true: a thread may have read what another one published in bytes that are not visible yet. Happens-before does not
   include that. So until the end of this execution no race is certain, and under RC11 each load reads the latest
   store. */
extern bool shadow_order_unseen;
/* After this number of accesses mem_note returns true once, for spin_probe (spin.h). Set to MEM_BUDGET at each scheduling point. */
#define MEM_BUDGET 20000
extern int64_t mem_budget;
/* Accesses are no events now, and leave no trace here (preload/memory/window.h). mem_note still returns true when the
   budget is used up. */
extern bool mem_coarse;

#endif
