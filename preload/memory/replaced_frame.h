/*
 * Accesses to a stack frame that was left, where another frame has taken its place since.
 *
 * A thread gets a pointer to a local variable of the function that creates it. The function returns, and its caller calls another one, whose
 * frame covers the variable. The stack pointer does not show that the frame was left (dead_stack.h), but return addresses do: while a frame
 * lives, its return address does not change. So a copy of the creator's stack is made at pthread_create. An access of the new thread is an
 * error if all of this is true:
 *
 *  - the frame that holds the address now has a return address, and the copy has another value in its place. So the frame was entered after
 *    the thread was created;
 *  - the thread can know nothing that its creator did since: no event of the creator after the creation comes before the access in the order of
 *    dependent events. So the thread cannot have got an address in that frame: it has the address of something else;
 *  - every access that could tell it is an event: all code is seen, and the execution has found no new visible bytes.
 *
 * Three kinds of errors are not found: an access that comes after an event through which the thread knows something newer; an access of
 * another thread than the new one; a frame that has the same return address as the one that it replaces.
 */
#ifndef SIMUL_REPLACED_FRAME_H
#define SIMUL_REPLACED_FRAME_H

#include <stdbool.h>
#include <stdint.h>

struct fiber;
struct frames_then;
struct mem_access;

/* Allocates what replaced_frame_created needs. NULL where stack frames are not checked. Once for each fiber, before an execution. */
struct frames_then *replaced_frame_room(void);

/* Records the stack of the running thread, which is about to create the thread of fiber f. Called before that event, inside simul, after
   ctl_enter. */
void replaced_frame_created(struct fiber *f);

/* Returns whether the running thread's access to the stack of `owner`, its creator, may be such an error. Calls nothing of libc. */
bool replaced_frame_suspect(const struct fiber *owner, uint64_t addr);

/* Returns whether the access, for which replaced_frame_suspect is true, is certainly such an error. Called inside simul, when the access is
   the latest event of the running thread, or is none. */
bool replaced_frame_check(const struct fiber *owner, const struct mem_access *a);

#endif
