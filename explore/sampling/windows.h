/*
 * Strategy `windows`: short parts of long executions.
 *
 * An execution of a million events cannot be explored whole, and it takes long if each access is an event. So most
 * of it runs in slices: accesses to memory are no events there, and threads take turns after a number of accesses
 * (preload/memory/window.h). Within a window of some events everything is an event, and the search decides. For each
 * window in turn:
 *
 *  - one execution in slices finds out how long executions are. The window gets a random place in it, and slices a
 *    random length, so that the threads meet differently in each window;
 *  - one execution has no preemption in the window. It shows which threads could run at each event;
 *  - then each single preemption in the window is tried: another thread runs there, and goes on as long as it can;
 *  - then random pairs of preemptions, half as many.
 *
 * The last three begin alike, so they can start from a snapshot at the window (preload/life/snapshot.h). Of long
 * executions, only some go on to their end: about so many that a window costs WINDOW_TAILS accesses. The others end
 * soon after the window, so that there is time for windows in many places. One that becomes several times as long as
 * the execution in slices ends, too: threads may wait for each other in it, and it would take as long as many others.
 *
 * If an execution in slices is cut (max_steps, WINDOW_WORK), windows lie in what was seen, and executions are ended
 * soon after them. It may be too long, or one of a few that never end. So there is another one in slices after two
 * windows, and if it is cut, too, after 4, 8 and so on.
 *
 * A window ends early when it would take more than WINDOW_EXECUTIONS single preemptions. It takes fewer where an
 * execution has many operations on descriptors, since these are system calls: there the executions of a window have
 * WINDOW_CALLS of them together, or WINDOW_FEWEST single preemptions. The idea of few preemptions is
 * that of Musuvathi and Qadeer (PLDI 2007). Like samples, windows prove nothing about the whole.
 */
#ifndef SIMUL_WINDOWS_H
#define SIMUL_WINDOWS_H

#include "explore/core.h"

#define WINDOW_LONGEST 400u    /* events */
#define WINDOW_SHORTEST 4u
#define WINDOW_AFTER 2000u     /* events from the end of a window to that of an execution that would be cut anyway */
#define WINDOW_LENGTHENED 4u   /* an execution has at most so many times the events of one in slices after its window */
#define WINDOW_BRIEF 250u      /* the same for an execution that would go on to its end, */
#define WINDOW_BRIEF_WORK (UINT64_C(1) << 16) /* and in accesses */
#define WINDOW_TAILS (UINT64_C(1) << 25) /* accesses of those executions of a window that go on to their end */
#define WINDOW_CALLS 60000u    /* operations on descriptors */
#define WINDOW_FEWEST 20u      /* single preemptions */
#define WINDOW_EVENT 32u       /* an event takes as long as so many accesses */
#define WINDOW_DOUBLINGS 5u    /* up to 2^5 windows between executions in slices that are cut */
#define WINDOW_WORK (UINT64_C(1) << 26) /* accesses in slices; an execution with more is ended, which counts as cut */
#define SLICE_LEAST 64u        /* accesses; a slice is up to 2^SLICE_DOUBLINGS times as long */
#define SLICE_DOUBLINGS 8u

enum window_stage {
	WINDOW_SCOUT,
	WINDOW_BASE,
	WINDOW_ONE,
	WINDOW_PAIR
};

struct window_point {
	uint32_t at;    /* a preemption before this event, counted from the start of the window */
	uint32_t other; /* the thread that runs instead: its number among those that could */
};

struct windows {
	uint32_t stage;             /* enum window_stage, of the planned or running execution */
	uint32_t slice, from, to;   /* of the window, see struct settings */
	uint32_t events;            /* of the latest execution in slices */
	uint32_t pairs;             /* executions with pairs that are left */
	uint32_t calls;             /* operations on descriptors of the running execution */
	uint32_t most;              /* single preemptions of a window that is longer than the shortest */
	struct window_point point[2]; /* ascending; point[1].at NO_INDEX: there is one */
	uint8_t cut;                /* the latest executions in slices that were cut: if any, others end WINDOW_AFTER a window */
	uint8_t left;               /* windows that begin without one in slices */
	uint8_t stopped;            /* the running execution has been ended */
	uint8_t brief;              /* the running execution ends soon after its window (WINDOW_BRIEF) */
	uint32_t gave;              /* slices of the running execution that are over */
	uint32_t gave_before;       /* those before the window */
	uint64_t rng;               /* state of the generator before the window: all its executions begin alike */
	uint64_t rng_inside;        /* that of the running one in it */
	uint64_t work;              /* of the latest execution in slices: accesses, and WINDOW_EVENT for each event */
	struct vec others;          /* uint8_t by event of the window: threads that could have run instead */
};

/* After the next execution was planned: returns how many events of the latest one, `trace`, it repeats. */
uint32_t windows_repeat(struct core *s, const struct trace *trace);

#endif
