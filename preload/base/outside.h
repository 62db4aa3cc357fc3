/*
 * Changes of the running execution besides memory. Rooms below life/ record them here; life/ decides whether the process can be rewound or
 * forked.
 */
#ifndef SIMUL_OUTSIDE_H
#define SIMUL_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/base/operations.h"
#include "preload/base/state.h"

extern const char *rewind_tainted; /* why the running execution cannot be rewound; NULL: it can */
extern bool rewind_passes;         /* rewind_tainted probably holds for this process only, not for later ones */

/* Records that the running execution cannot be rewound. `why` completes "executions ...". */
static inline void rewind_prevent(const char *why)
{
	if (!rewind_tainted)
		rewind_tainted = why;
}

/* Like rewind_prevent, for a call that changes something besides memory. Other threads may notice that. */
static inline void rewind_taint(const char *why)
{
	ctl_opaque();
	rewind_prevent(why);
}

/* Like rewind_prevent, for a change that later processes probably do not make, since they find its result at the checkpoint. */
static inline void rewind_taint_once(const char *why)
{
	if (!rewind_tainted)
		rewind_passes = true;
	rewind_prevent(why);
}

/* The running execution has changed something that a process forked here would share with other processes, so it makes no more snapshots. */
extern bool snapshot_tainted;

/* Descriptor 0, 1 or 2 or its stream was closed or replaced, so other threads may read what is printed. */
extern bool outside_standard_streams;

/* The running execution may have used descriptors, or printed. Hooks and descriptions of functions set it where a call could; so while it is
   false, files and descriptors are as they were at the checkpoint. */
extern bool outside_touched;

/* Later executions may start in the middle of the running one (life/snapshot.h, life/points.h). */
extern bool snapshot_armed;
/* Called before the strategy chooses the next step. Returns once for each execution that continues from here. */
static inline void snapshot_point(void)
{
	if (__builtin_expect(snapshot_armed, 0))
		operations.snapshot();
}

/*
 * Call it before the program changes something that other processes, and so other workers, would see. `fmt` completes "the program ...".
 * Only a search with one worker may make such changes: with several workers this call does not return. Later calls cost only a test. May be
 * called anywhere.
 */
void outside_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
