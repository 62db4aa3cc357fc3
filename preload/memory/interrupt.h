/*
 * Signal handlers and the accesses of the threads that they interrupt.
 *
 * simul runs a handler at a scheduling point of its thread. By then the thread has made its accesses that are no events, although the
 * signal could have arrived between two of them. The order matters only where the handler conflicts with such an access. The bytes then
 * become shared (shadow.h), as if the handler were another thread, and each of these accesses becomes a scheduling point.
 *
 * Only accesses since the thread's last event outside of handlers need this. Before that event the handler can run as well: that is another
 * trace, in which the earlier accesses are compared. An event of an earlier handler is no such limit, since that handler can run earlier
 * too. The signal cannot have come before accesses that the thread made while the signal was blocked, nor before accesses that it made
 * before it sent the signal to itself.
 *
 * A handler also publishes what its thread did before: by an unlock, a post or a store. Another thread that acquires it then seems to act
 * after the accesses in [since, begin). If the handler had run before them it would not. So such an access happens before one of another
 * thread only if that thread has acquired it in another way than from the handler (interrupt_hides).
 *
 * A thread's epochs (sched/hb.h) distinguish its accesses. They grow with each event of the thread that publishes something. Here they also
 * grow where a handler begins or ends, where the mask changes, and where the thread sends itself a signal. So a program without
 * handlers pays nothing.
 */
#ifndef SIMUL_INTERRUPT_H
#define SIMUL_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"

/* A handler that runs; the struct lies on the stack of its thread. Its accesses are compared with those that the thread made in the
   epochs [since, begin), unless its signal was blocked. */
struct interrupt {
	struct interrupt *outer; /* the handler that it interrupted, or that called raise; NULL: none */
	uint64_t bit;            /* its signal's bit in a mask */
	uint64_t stack;          /* the part of the stack below this address is the handler's own */
	uint32_t since, begin;
	uint32_t before;         /* the thread's `since` when the handler began */
	bool timer;              /* a timer sent the signal: it could come at any time, but simul delivers it only where time passes */
};

/* A handler for the signal `bit` starts on the running thread. `from`: for a signal that the thread sent to itself, the result of
   interrupt_sent; for a timer's signal, the first epoch in which it could have fired; 0 when another thread sent it. */
void interrupt_begin(struct interrupt *i, uint64_t bit, uint32_t from, bool timer);
/* The handler returns. */
void interrupt_end(struct interrupt *i);
/* A jump (longjmp) left those handlers of the running thread whose frames lie below stack address `sp`. */
void interrupt_unwind(uintptr_t sp);

/* The running thread has this signal mask from now on. */
void interrupt_mask(uint64_t mask);
/* Thread t begins with this signal mask. */
void interrupt_created(thread_id t, uint64_t mask);
/* The running thread sends itself a signal. Returns the first epoch in which it could have done that. */
uint32_t interrupt_sent(void);

/* Returns the innermost handler that runs on t, or NULL. */
const struct interrupt *interrupt_of(thread_id t);
/* Returns the first epoch whose accesses handler i, or one that it interrupted, can have preceded. */
uint32_t interrupt_since(const struct interrupt *i);
/* Returns whether handler i, or one that it interrupted, could also have run before what its thread t did at `addr` in `epoch`. For a
   timer's handler the verdict then says that this was not explored. Calls nothing of libc. */
bool interrupt_precedes(const struct interrupt *i, thread_id t, uint32_t epoch, uint64_t addr);

/* Whether a handler has run in this execution. */
extern bool interrupt_any;
/* Thread t made an access that is no event in its `epoch`, and another thread has seen t's epoch `seen`, which is not earlier. Returns
   whether a handler that could also have run before the access is the only one that published it. Calls nothing of libc. */
bool interrupt_hides(thread_id t, uint32_t epoch, uint32_t seen);
/* The execution is over. The verdict then mentions handlers of timers that were not explored. */
void interrupt_over(void);

#endif
