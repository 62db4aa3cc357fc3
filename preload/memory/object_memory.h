/*
 * The memory in which a synchronisation object of the program lies: a mutex, a condition variable, a semaphore and so on. A call that uses
 * an object in memory that was freed, or in a stack frame that was left, is a memory error like any other access (block_bug.h). In memory that was
 * unmapped it is a crash. What is said of free below holds for munmap, too.
 *
 * Three moments matter:
 *  - A hook asks for the model's object (ctl_object). The memory may be dead already: object_memory_check.
 *  - Another thread may free the memory while the operation is pending. So the memory is checked again after the operation, and after each
 *    part of an operation in several parts (a wait on a condition, at a barrier).
 *  - The search must try the free before the call as well as after it. So a call counts as a read of the object: it conflicts with the write
 *    that free makes. If nothing orders the two, the object's first bytes become visible (object_uses.h). From then on a load of these bytes
 *    comes before each call (object_memory_read), and the search orders it with the free.
 *
 * No order is lost because the load is an event of its own. Let the free come before the call in some execution. The thread does nothing
 * between the load and the call, and a load orders nothing that comes after it in other threads. So there is an execution in which the free
 * also comes before the load. A wait has begun before another thread may free what it waits for; there the load comes after the wait.
 *
 * Not an access of the object's memory: FUTEX_WAKE, which needs only the address, and the rest of a wait whose object was destroyed
 * meanwhile. glibc's pthread_cond_destroy and pthread_barrier_destroy wait for threads that are about to leave.
 */
#ifndef SIMUL_OBJECT_MEMORY_H
#define SIMUL_OBJECT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/memory/heap.h"
#include "preload/memory/mapped_ranges.h"
#include "preload/memory/shadow_table.h"
#include "sched/event.h"
#include "sched/world.h"

struct session_bug;

/* For each kind of object, the number of bytes that glibc uses of its type; 0: such objects do not lie in memory. */
extern const uint8_t object_memory_bytes[OBJ_COUNT];

/* Returns whether the address may lie in memory of which parts can go: the heap, a stack, a mapping. Variables of modules stay. */
static inline bool object_memory_goes(uint64_t addr)
{
	return heap_owns((const void *)addr) || mapped_has(addr) || (!(addr >> ADDRESS_BITS) && table_maps[table_top[addr >> LEAF_BITS]].stacks);
}

/* Ends the execution with a bug if an object of this kind at addr, which object_memory_goes, would lie in freed memory or in a stack frame
   that was left, or in memory that was unmapped. Called inside simul. */
void object_memory_check(enum object_kind kind, uint64_t addr);

/* The same for the word of a futex, in a call that reads it. */
void object_memory_check_futex(uint64_t addr);

/* Returns a new bug if the model object o lies in such memory; NULL: it does not. The execution has not ended yet. */
struct session_bug *object_memory_bug(object_id o);

/* Returns whether the functions below have something to do for the operation: an object that it names lies in memory that can go. */
static inline bool object_memory_concerns(const struct world *w, const struct op *op)
{
	return object_memory_bytes[event_kind_object(op->kind)] &&
	       (object_memory_goes(world_object_address(w, op->obj[0])) || op->kind == EV_COND_WAIT);
}

/* Called before the operation `op` is announced: counts as an access of its objects, which is an event if the bytes are visible. Other threads
   may run. Called inside simul, not on simul's own stack. */
void object_memory_read(const struct op *op);

/* Called when `op` was performed. `changes` is what block_changes (blocks.h) was when the thread announced it. Ends the execution if the memory of
   one of its objects is gone. Other threads may run. */
void object_memory_performed(const struct op *op, uint64_t changes);

#endif
