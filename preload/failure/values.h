/*
 * The values that memory events read and write, for reports. Confirmations and replays record them beside the stacks.
 *
 * A sensor announces an access before the access happens; nothing is called after it. So the old value is read just before the thread
 * continues. The new value is read when the thread enters simul again: at its next operation, a free() or its end. No other thread runs
 * in between.
 */
#ifndef SIMUL_VALUES_H
#define SIMUL_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/ids.h"
#include "sched/world.h"

/* The new value of some access is not known yet. */
extern bool values_open;

/* All of these are called inside simul, and do nothing unless the session keeps stacks (values_none: call it only then). */

/* Clears the record of event i, which is new in the trace. */
void values_none(uint32_t i);
/* Thread or agent t is about to perform its pending operation. No store buffer is shown. */
void values_coming(thread_id t);
/* That operation was performed, and its event is in the trace. */
void values_performed(const struct step *st);
/* The part of values_before for an open access. */
void values_before_access(void);
/* The thread of the last step is about to continue; its buffer is shown. */
static inline void values_before(void)
{
	if (values_open)
		values_before_access();
}
/* The part of values_after for an open access. */
void values_after_access(void);
/* The running thread has made its access, if any; its buffer is still shown. */
static inline void values_after(void)
{
	if (values_open)
		values_after_access();
}

/* The running thread's call has returned `result`: a byte count, if its last event was a read or write of a descriptor. */
void values_returned(int64_t result);

/* Call it before the running thread's memory changes without an event. */
static inline void values_settle(void)
{
	values_after();
}

/* The new value of the open access has no meaning: drops it. */
static inline void values_drop(void)
{
	values_open = false;
}

#endif
