/*
 * Accesses of stack frames that have been left, by a pointer that was kept or handed to another thread; and of the stack of a thread
 * that has ended.
 *
 * Nothing reports that a frame is left. But what lies below a thread's stack pointer (and the 128 bytes that may be in use there)
 * belongs to no frame. dead_stack_suspect compares the address with a bound that is never above that. Only then dead_stack_check looks
 * whether it is certain: the frames of the thread must lead from where it stands to the upper end of its stack. So coroutines and signal
 * handlers on other stacks are left alone; and nothing is said of an execution in which longjmp was called, which
 * may change to a stack that was cut out of this one.
 *
 * What is not seen: an access that repeats one that was made, by the same thread in the same epoch, while the frame was alive; a
 * frame whose place was taken by another; the last bytes below the stack pointer.
 */
#ifndef SIMUL_DEAD_STACK_H
#define SIMUL_DEAD_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct fiber;
struct mem_access;
struct session_block;

extern bool dead_stack_on;
extern bool dead_stack_jumped; /* longjmp was called in this execution */

/* The shadow should ask about accesses of this thread's stack. */
void dead_stack_of(const struct fiber *f);

/* Does the address lie in a stack, below all that is in use? Uses no vector register and calls nothing of libc. */
bool dead_stack_suspect(uint64_t addr);

/* Is that certain? Fills *out then. Inside simul. */
bool dead_stack_check(const struct mem_access *a, struct session_block *out);

#endif
