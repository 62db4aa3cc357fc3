/*
 * Which accesses of a thread a handler that runs on it could also have come before.
 *
 * A handler runs at a scheduling point of its thread. The thread's accesses that are no events were made by then, although the signal
 * could have arrived between two of them. That makes a difference only where the handler conflicts with them. So their bytes
 * become shared (shadow.h), as if the handler were another thread; then each of these accesses is a scheduling point.
 *
 * It is enough to look at what the thread did since its last event outside of handlers. Before that event the handler could run too, which
 * is another trace, and looks at what came before. An event of an earlier handler is no such limit: with its handler it could come earlier.
 * Left out is what the signal cannot have come before: accesses made while it was blocked, and what the thread did before it sent the
 * signal to itself.
 *
 * A handler also passes on what its thread did before it: what another thread does after an unlock, a post or a store of the handler
 * seems to come after these accesses. It does not where the handler could have come before them. So an access in [since, begin) of
 * a handler comes before an access of another thread only when that knows of it by more than the handler (interrupt_hides).
 *
 * The epochs of a thread (sched/hb.h) distinguish its accesses. They grow with each of its events that publishes something. Here they
 * also grow where a handler begins and ends, where the mask changes, and where the thread sends a signal to itself. So a program
 * without handlers pays nothing.
 */
#ifndef SIMUL_INTERRUPT_H
#define SIMUL_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

/* A handler that runs; lies on the stack of its thread. Its accesses conflict with those that the thread made in the epochs
   [since, begin), unless its signal was blocked. */
struct interrupt {
	struct interrupt *outer; /* the handler that it interrupted, or that called raise */
	uint64_t bit;            /* of its signal, as in a mask */
	uint64_t stack;          /* below this address the thread's stack is the handler's own */
	uint32_t since, begin;
	uint32_t before;         /* `since` of a handler that runs next after it */
	bool timer;              /* a timer's: it could have come at any time, but is run only where time passes */
};

/* A handler for the signal `bit` starts on the running thread. `from`: for a signal that the thread sent to itself, interrupt_sent; for a
   timer's, the first epoch in which it could have fired; 0: another thread sent it. */
void interrupt_begin(struct interrupt *i, uint64_t bit, uint32_t from, bool timer);
void interrupt_end(struct interrupt *i);
/* The handlers of the running thread below stack address `sp` were left by a jump. */
void interrupt_unwind(uintptr_t sp);

/* The running thread's mask is this from now on. */
void interrupt_mask(uint64_t mask);
/* Thread t begins with this mask. */
void interrupt_created(thread_id t, uint64_t mask);
/* The running thread sends itself a signal: returns the first epoch in which it could have done that. */
uint32_t interrupt_sent(void);

/* The innermost handler that runs on t; NULL: none does. */
const struct interrupt *interrupt_of(thread_id t);
/* The first epoch of which that can be so. */
uint32_t interrupt_since(const struct interrupt *i);
/* Could handlers `i`, which run on t, also have come before what t did at `addr` in its `epoch`? true: where that is a timer's handler, the
   verdict will say that this was not explored; others are. Calls nothing of libc. */
bool interrupt_precedes(const struct interrupt *i, thread_id t, uint32_t epoch, uint64_t addr);

/* true from the first handler of an execution on. */
extern bool interrupt_any;
/* Thread t made an access that is no event in its `epoch`, and another thread has seen t's epoch `seen`, which is not earlier. Does it know
   of that access only by a handler that could have come before it? Calls nothing of libc. */
bool interrupt_hides(thread_id t, uint32_t epoch, uint32_t seen);
/* The execution is over: the verdict gets to know of timers' handlers that were not explored. */
void interrupt_over(void);

#endif
