/* Walks the frames of a stack by the unwind tables of the modules. */
#ifndef SIMUL_FRAMES_H
#define SIMUL_FRAMES_H

#include <stdbool.h>
#include <unwind.h>

/* The unwind table of a loaded module is damaged, so the unwinder may fault. */
extern bool frames_damaged;

/* Like _Unwind_Backtrace. Never calls `visit` if a table is damaged. */
static inline void frames_walk(_Unwind_Trace_Fn visit, void *arg)
{
	if (!frames_damaged)
		_Unwind_Backtrace(visit, arg);
}

#endif
