/*
 * The values that events of memory read and write, for people: taken down in confirmations and replays, beside the stacks.
 *
 * A sensor announces an access before it happens, and nothing is called after it. So what was there before is read when the
 * thread is about to run on, and what is there afterwards at the next thing that is heard of it: its next operation, a free() or the
 * end. Nobody else runs in between.
 */
#ifndef SIMUL_VALUES_H
#define SIMUL_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"
#include "sched/world.h"

/* An access has been made, or is about to be, whose value is not known yet. */
extern bool values_open;

/* Event i of the trace is new: nothing is known of its value. With keep_stacks only. */
void values_none(uint32_t i);
/* Thread or agent t is about to perform its pending operation. Nobody's buffer is shown. */
void values_coming(thread_id t);
/* It was performed, and is in the trace. */
void values_performed(const struct step *st);
/* The thread of the last step runs on; its buffer is shown. */
void values_before(void);
/* The running thread has made its access if it had one to make; its buffer is still shown. */
void values_after(void);

/* The running thread's call has returned that: the count of a read or write of a descriptor, when its last event was one. */
void values_returned(int64_t result);

/* Before the running thread's memory is used for something else without an event. */
static inline void values_settle(void)
{
	if (values_open)
		values_after();
}

/* The access that is open stores nothing that means anything. */
static inline void values_drop(void)
{
	values_open = false;
}

#endif
