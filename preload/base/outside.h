/*
 * What the running execution changes besides memory. Rooms below life/ note it here; life/ decides what follows from it.
 */
#ifndef SIMUL_OUTSIDE_H
#define SIMUL_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/base/operations.h"

extern const char *rewind_tainted;
extern bool rewind_passes;

/* The running execution changes something that is not memory: it cannot be rewound. `why` completes "executions ...". */
static inline void rewind_taint(const char *why)
{
	if (!rewind_tainted)
		rewind_tainted = why;
}

/* The same, but the next process finds what this one had to get, and will most probably not have to. */
static inline void rewind_taint_once(const char *why)
{
	if (!rewind_tainted)
		rewind_passes = true;
	rewind_taint(why);
}

/* The running execution has changed something that a process forked here would share with others: no more snapshots of it. */
extern bool snapshot_tainted;

/* The running execution may be forked in the middle (life/snapshot.h). */
extern bool snapshot_armed;
/* Before the strategy is asked for the next step. Returns once for each execution that goes on from here. */
static inline void snapshot_point(void)
{
	if (__builtin_expect(snapshot_armed, 0))
		operations.snapshot();
}

/*
 * The program is about to change what other processes see, and so other workers would: call it before. `fmt` completes "the program ...".
 * Only one worker may do that: with others this does not return. Costs a test when it was said before. May be called anywhere.
 */
void outside_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
