/*
 * Accesses to stack frames that were left, through a pointer that was kept or given to another thread, and to the stack of a thread that
 * has ended.
 *
 * Nothing reports that a frame is left. But memory below a thread's stack pointer, except for the 128 bytes of the red zone, belongs to no
 * frame. dead_stack_suspect compares the address with a bound at or below that limit. For the few accesses below that bound,
 * dead_stack_check finds out whether the error is certain: the thread's frames must lead from its stack pointer to the upper end of its
 * stack. So it reports nothing for coroutines, or for signal handlers on other stacks. After a longjmp it reports nothing in that
 * execution, because the program may have changed to a stack that was cut out of this one.
 *
 * Where another frame has taken the place of the one that was left, see replaced_frame.h.
 *
 * Two kinds of errors are not found: an access that repeats one made by the same thread in the same epoch while the frame was alive; an
 * access to the last bytes below the stack pointer.
 */
#ifndef SIMUL_DEAD_STACK_H
#define SIMUL_DEAD_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct fiber;
struct mem_access;
struct session_block;

extern bool dead_stack_on;     /* stack frames are checked */
extern bool dead_stack_jumped; /* longjmp was called in this execution */

/* Makes the shadow check accesses to the stack of thread f. */
void dead_stack_of(const struct fiber *f);

/* Returns whether the address may lie in a stack, below everything in use. Uses no vector register and calls nothing of libc. */
bool dead_stack_suspect(uint64_t addr);

/* Returns whether the access, for which dead_stack_suspect is true, is certainly an error, and fills *out. Called inside simul. */
bool dead_stack_check(const struct mem_access *a, struct session_block *out);

#endif
