/*
 * The state of a thread before a call that may be part of a waiting loop, for sched/rounds.h: its stack, its
 * thread-local variables, the registers that a call preserves, and a count of its actions that these do not show:
 * writes to other memory, reads of a clock, random numbers, values set for pthread keys, changes of what libc and the
 * kernel keep. Descriptors count by what is left open.
 */
#ifndef SIMUL_ROUND_STATE_H
#define SIMUL_ROUND_STATE_H

#include <stdbool.h>

#include "preload/base/thread.h"
#include "sched/endless.h"
#include "sched/event.h"
#include "sched/rounds.h"

/* Returns the state of the running thread before an operation that is no access of memory; 0: unknown. */
uint64_t round_state(const struct op *op);
/* Returns whether searches of this session may leave out rounds. They may not with store buffers, nor where the order of timeouts matters. */
bool round_possible(void);
/* Returns the limits of waiting loops. */
struct rounds_limits *round_limits(void);
/* Returns whether searches of this session may stop threads that never end. They may not with store buffers. */
bool endless_possible(void);
/* Returns the limits of threads that never end. */
struct endless_limits *endless_limits(void);
/* Call it when the running thread is about to announce *op, in a hook on its own stack. Sets op->state if a round may begin here. */
void round_announce(struct op *op);
/* Call it when the thread is about to run code of the program. */
void round_begins(const struct fiber *f);
/* Call it when the running thread gets a value that its state does not determine. */
void round_unforeseen(void);
/* Call it when the running thread has opened a descriptor's number, or closes it. It comes back to a state only if it
   has closed what it opened. */
void round_number(int fd, bool opened);

#endif
