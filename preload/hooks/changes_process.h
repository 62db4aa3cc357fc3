/* Changes of the process that a rewind can revert (kernel/process_state.h), or else prevent it. */
#ifndef SIMUL_CHANGES_PROCESS_H
#define SIMUL_CHANGES_PROCESS_H

#include "preload/base/outside.h"
#include "preload/hooks/directly.h"
#include "preload/kernel/process_state.h"

/* Call it outside of simul, before the program changes this state. own: it is that of the calling process or thread. */
static inline void changes_process(unsigned state, bool own)
{
	bool back = false;

	if (own)
		DIRECTLY(back = state_keep(state));
	if (!back)
		rewind_taint("change the process itself");
}

#endif
