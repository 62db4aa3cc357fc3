/*
 * Signal handlers and the accesses of the threads that they interrupt.
 *
 * simul runs a handler at a scheduling point of its thread. At that point the thread has already made its earlier accesses that are no
 * events, although the signal could have arrived between two of them. This matters only if the handler conflicts with such an access. Then
 * the bytes become shared (shadow.h), as if the handler were another thread, and each of these accesses becomes a scheduling point.
 *
 * Only accesses since the thread's last event outside of handlers need this. A handler that runs before that event belongs to another
 * trace, in which the earlier accesses are compared. An event of an earlier handler is no such limit, because that handler can run earlier
 * too. The signal cannot have come before accesses that the thread made while the signal was blocked, nor before accesses that it made
 * before it sent the signal to itself.
 *
 * A handler also publishes what its thread did before: by an unlock, a post or a store. Another thread that acquires it then seems to act
 * after the accesses in [since, begin). This is wrong for a handler that could have run before these accesses. So such an access happens
 * before an access of another thread only if that thread has acquired it in another way than from the handler (interrupt_hides).
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
	struct interrupt *outer; /* the handler that this one interrupted, or that called raise; NULL: none */
	uint64_t bit;            /* bit of its signal in a mask */
	uint64_t stack;          /* the stack below this address belongs to the handler */
	uint32_t since, begin;
	uint32_t before;         /* the thread's `since` when the handler began */
	bool timer;              /* a timer sent the signal, which could come at any time; simul delivers it only where time passes */
};

/* Call it when a handler for the signal `bit` starts on the running thread. `from`: for a signal that the thread sent to itself, the result
   of interrupt_sent; for a timer's signal, the first epoch in which it could have fired; 0 when another thread sent it. */
void interrupt_begin(struct interrupt *i, uint64_t bit, uint32_t from, bool timer);
/* Call it when the handler returns. */
void interrupt_end(struct interrupt *i);
/* Call it when a longjmp has left those handlers of the running thread whose frames lie below stack address `sp`. */
void interrupt_unwind(uintptr_t sp);

/* Records that the running thread has this signal mask from now on. */
void interrupt_mask(uint64_t mask);
/* Records that thread t begins with this signal mask. */
void interrupt_created(thread_id t, uint64_t mask);
/* Call it when the running thread sends itself a signal. Returns the first epoch in which it could have sent the signal. */
uint32_t interrupt_sent(void);

/* Returns the innermost handler that runs on t, or NULL. */
const struct interrupt *interrupt_of(thread_id t);
/* Returns the first epoch with accesses before which handler i, or one that it interrupted, could have run. */
uint32_t interrupt_since(const struct interrupt *i);
/* Returns whether handler i, or one that it interrupted, could also have run before the access of its thread t at `addr` in `epoch`. If a
   timer sent the signal, the verdict says that this was not explored. Calls nothing of libc. */
bool interrupt_precedes(const struct interrupt *i, thread_id t, uint32_t epoch, uint64_t addr);

/* Whether a handler has run in this execution. */
extern bool interrupt_any;
/* Thread t made an access in its `epoch` that is no event, and another thread has acquired t's epoch `seen`, which is not earlier. Returns
   whether the access was published only by a handler that could also have run before it. Calls nothing of libc. */
bool interrupt_hides(thread_id t, uint32_t epoch, uint32_t seen);
/* Call it when the execution is over. Makes the verdict mention handlers of timers that were not explored. */
void interrupt_over(void);

#endif
