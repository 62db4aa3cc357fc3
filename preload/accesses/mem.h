/*
 * Accesses to memory, as the sensors report them. Sensors are patched code (patch/), the ThreadSanitizer ABI (tsan_abi.c), and the
 * functions of libc (hook_string.c, libc/accesses.c).
 *
 * A sensor reports an access just before it is made:
 *
 *	if (mem_note(addr, size, flags))
 *		mem_perform(&access);
 *
 * Most accesses cost no more than mem_note. It records in the shadow (shadow.h) which thread accessed what, and returns whether the bytes
 * are visible to the search. Only then is there a scheduling point: mem_perform returns when the access may be made, and nothing else runs
 * before it. mem_note also returns true for other reasons: spin_probe wants the access, a store buffer must be empty first, or the program
 * may not use the bytes. Both functions do nothing while mem_on is false: before the checkpoint, inside simul, in native children.
 */
#ifndef SIMUL_MEM_H
#define SIMUL_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/access.h"
#include "preload/memory/note.h"

/* The scheduling point of an access for which mem_note returned true. Other threads of the program run during this call. The caller has
   saved all registers that the program may need, including vector registers. */
void mem_perform(const struct mem_access *a);

/* A function of libc runs that holds a lock of its own, for which another thread would wait in the kernel: an access
   that it makes by a hook (free) is no scheduling point. */
extern bool mem_locked;

/* The same for an access that a hook makes while it is inside simul. Not on simul's own stack. */
void mem_perform_inside(const struct mem_access *a);

/* Returns whether any of these bytes of the program's memory is visible. */
bool mem_is_visible(uint64_t addr, uint64_t size);

/*
 * For functions of the C library (ranges.h). The program has called them at pc, a return address. These functions,
 * mem_perform and mem_is_visible are what ranges.c needs. enforce/lib/memory.c has its own, so that a call is held back
 * by the code that reports it to the search.
 */
/* Like mem_note, for an access that the call is about to make. */
bool mem_note_call(uint64_t addr, uint64_t size, unsigned flags, uintptr_t pc);
/* The access that mem_perform announced has been made. Other threads of the program may run from here on. */
void mem_performed(void);
/* Returns for how many bytes from `addr` on no other thread can change anything while the running one only looks. */
uint64_t mem_quiet(uint64_t addr);
/* Returns how many bytes from `addr` on, which is visible, the read of a string makes in one event. At least 1, at most
   `most`. */
uint64_t mem_run(uint64_t addr, uint64_t most);
/* Visible bytes that the call has read as events are read again later. No certificate can hold that back. */
void mem_read_again(uintptr_t pc);

/* Empties the running thread's store buffer, for a call that enters the kernel without being an event. Called inside simul. */
void mem_drain(const void *pc);

/* Empties all store buffers. Not called inside simul. */
void mem_drain_all(const void *pc);

/* A range of memory whose mapping or content a call changes. */
struct mem_range {
	const void *addr;
	uint64_t size;
};
/* Call it just before a call changes what is mapped in `n` ranges, or replaces their content. Empties all store buffers. The call counts as a write of
   all these bytes: it is an event if some of them are visible. Nothing runs between that event and the call. Not called inside simul. */
void mem_unmaps_ranges(const struct mem_range *r, unsigned n, const void *pc);
void mem_unmaps(const void *addr, uint64_t size, const void *pc);
/* The same for a call that sets how the memory may be used; calls with the same `rights`, not 0, for the same bytes commute. */
void mem_protects(const void *addr, uint64_t size, uint32_t rights, const void *pc);

/* For a hook whose operation also reads a word of the program's memory: records the read, and makes the word the operation's second object
   when it is visible. Called inside simul. */
struct op;
void mem_attach(struct op *op, uint64_t addr, uint32_t size);
/* The same for an operation that has two other objects, and depends on everything. Returns whether it is visible. */
bool mem_reads_word(uint64_t addr, uint32_t size);

/* Call it when an execution starts in this process. Accesses count from then on. */
void mem_start(void);

#endif
