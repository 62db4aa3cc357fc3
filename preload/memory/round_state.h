/*
 * The state of a thread before a call that may be part of a waiting loop, for sched/rounds.h: its stack, its thread-local variables, the
 * registers that a call preserves, and how often it did what these do not show: wrote to other memory, read a clock, got a random number, set
 * the value of a pthread key.
 */
#ifndef SIMUL_ROUND_STATE_H
#define SIMUL_ROUND_STATE_H

#include <stdbool.h>

#include "sched/event.h"

/* Returns whether searches of this session may leave out rounds. This is not so with store buffers, and where the order of timeouts
   matters. */
bool round_possible(void);
/* The running thread, on its own stack in a hook, is about to announce *op. Sets op->state if that may begin a round. */
void round_announce(struct op *op);
/* A thread is about to run code of the program. */
void round_begins(void);
/* The running thread gets something that its state does not decide. */
void round_unforeseen(void);

#endif
