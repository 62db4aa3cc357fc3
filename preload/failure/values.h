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

/* Call these functions inside simul. If the session does not keep stacks, they do nothing, and values_none must not be called. */

/* Clears the record of event i, which is new in the trace. */
void values_none(uint32_t i);
/* Call it when thread or agent t is about to perform its pending operation, while no store buffer is shown. */
void values_coming(thread_id t);
/* Call it when the operation announced by values_coming was performed and its event is in the trace. */
void values_performed(const struct step *st);
/* Records the old value of the open access. For values_before. */
void values_before_access(void);
/* Call it when the thread of the last step is about to continue and its store buffer is shown. */
static inline void values_before(void)
{
	if (values_open)
		values_before_access();
}
/* Records the new value of the open access. For values_after. */
void values_after_access(void);
/* Call it when the running thread has made its open access, if it has one, and its store buffer is still shown. */
static inline void values_after(void)
{
	if (values_open)
		values_after_access();
}

/* Call it when the running thread's call has returned `result`: a byte count, if its last event was a read or write of a descriptor. */
void values_returned(int64_t result);

/* Call it before the running thread's memory changes without an event. */
static inline void values_settle(void)
{
	values_after();
}

/* Forgets the open access, whose new value has no meaning. */
static inline void values_drop(void)
{
	values_open = false;
}

#endif
