/*
 * Calls that are taken as one step: functions of a runtime that are known to be linearizable, such as those of Rust's channels (ONE_STEP in
 * base/runtimes.def). Their inside is many accesses of memory, all of whose orders would be traces.
 *
 * While such a call runs, no other one that uses the same object does. It is as if the object had a mutex that each call holds: the first access in the
 * call that other threads could see takes it (EV_MUTEX_LOCK), and the end of the call gives it back. So nothing else changes in the search: the accesses are
 * events, ordered by the mutex, and whatever else accesses the same memory is explored. The object is the block of the heap of that first access. If two
 * calls that use one object had different mutexes, their accesses would be explored as code.
 *
 * A thread that may have to wait in such a call gives the mutex back before, and takes it again after. So no thread waits while it has one, except for
 * a mutex of the object itself, and there is no deadlock that the program does not have. Should a call still wait for another one, then these are no single steps: the search
 * begins again, and explores all as code. So it does when the program calls a function whose result depends on whether threads wait for a lock (TELLS_WAITING).
 *
 * The patcher says where the functions begin and may end (MEM_CALL_BEGINS, MEM_CALL_ENDS). A call that ends in another way, by an exception for example, is over
 * when the stack is shorter than at its beginning. That the calls are linearizable is assumed, and the verdict says so. With store buffers and in certificates all is
 * explored as code.
 */
#ifndef SIMUL_WHOLE_CALLS_H
#define SIMUL_WHOLE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/access.h"
#include "preload/control/fiber.h"
#include "sched/event.h"

/* Returns whether calls may be taken as one step in this session. Code is patched for that even where they are refused later: all workers of a search must run the
   same code, since the states of spin loops contain addresses in it. */
bool whole_calls_possible(void);
/* Returns whether calls are taken as one step in this search. */
bool whole_calls_on(void);

/* Call it when no thread can continue. If one waits for the mutex of a call, has the search begin again without such calls, and returns true. */
bool whole_calls_refuse(void);

enum whole_call_kind {
	CALL_ONE_STEP,
	/* an operation of a reader-writer lock, or the slow part of one (preload/control/lock_ops.h) */
	CALL_TAKES, /* it waits until the lock is free */
	CALL_OPERATES,
	CALL_TAKES_SLOWLY,
	CALL_OPERATES_SLOWLY,
	/* a function that loads the word of a lock, and then takes it or gives it back by a compare-and-swap from what it found. What lies around that is explored */
	CALL_PAIR_TAKES,
	CALL_PAIR_GIVES,
	/* a function whose result depends on whether threads wait for such a lock */
	CALL_TELLS,
};

/* Declares that the function in [lo, hi) is such a one. owner: who says so (base/lock_owners.h). Ignored when the table is full. */
void whole_call_add(uint64_t lo, uint64_t hi, uint32_t owner, enum whole_call_kind kind);
/* Returns whether the function that contains the address is of this kind. *owner: who says so. */
bool whole_call_kind_at(uint64_t at, enum whole_call_kind kind, uint32_t *owner);
/* patch_config.whole */
bool whole_call_is(uint64_t function);

/* For accesses with MEM_CALL_BEGINS and MEM_CALL_ENDS. Called inside simul. */
void whole_call_mark(const struct mem_access *a);

/* Call it when the running thread is about to make an access that is an event. Takes the mutex if the thread is in such a call and has it not yet. */
void whole_call_access(const struct mem_access *a, uint64_t addr);

/* Returns whether the access is made in an operation of a reader-writer lock. */
bool whole_call_operation(const struct mem_access *a);

/* Call it before the running thread announces *op, if whole_call_running. top: the program's stack pointer there. Returns whether the mutex was given back and must
   be taken again: call whole_call_resume when the operation has been performed. */
bool whole_call_pause(const struct op *op, uint64_t top);
void whole_call_resume(void);

/* Returns whether the thread may be in such a call. */
static inline bool whole_call_running(const struct fiber *f)
{
	return __builtin_expect(f->call.sp != 0, 0);
}

#endif
