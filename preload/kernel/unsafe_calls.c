#include "preload/kernel/unsafe_calls.h"

#include "preload/control/ctl.h"
#include "preload/control/exceptions.h"
#include "preload/kernel/signals.h"

#include "preload/base/rules.h"

/* Of each thread, in the running execution: private memory, which is put back with the program. */
static uint8_t called[MAX_THREADS];
#define CALLED_OUTSIDE 1 /* such a function was called, not in a handler, while several threads lived; */
#define CALLED_INSIDE 2  /* in a handler */

void unsafe_call(uint64_t pc)
{
	if (!ctl_past_checkpoint || ctl_inside)
		return;
	thread_id t = ctl_self();
	uint8_t how = signals_interrupt(t) ? CALLED_INSIDE : CALLED_OUTSIDE;

	if (called[t] & how || world_live_threads(ctl_world) < 2)
		return;
	called[t] |= how;
	if (called[t] == (CALLED_OUTSIDE | CALLED_INSIDE))
		except_for(EXCEPT_UNSAFE_HANDLER, pc);
}
