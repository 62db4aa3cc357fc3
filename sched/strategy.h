/*
 * What a decider must offer, and what it gets to see. Every strategy (explore/), the forced
 * schedule of a replay (replay/) and the fake executors of the tests meet the scheduler here and
 * nowhere else.
 *
 * One execution is: begin, then (pick, observe)* in alternation, then end. `pick` chooses among
 * the enabled choices; the scheduler performs it and tells the resulting event by `observe`. The
 * trace of the running execution lies in `struct trace`, kept by the scheduler, readable by
 * the strategy at any time: when the process that ran the execution dies, another process that maps
 * the same memory calls `end` and the search goes on.
 */
#ifndef SIMUL_STRATEGY_H
#define SIMUL_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/event.h"

#define PICK_STOP (-1)     /* redundant (sleep-set blocked) or out of budget: end this execution */
#define PICK_DIVERGED (-2) /* the program did something else than in the prefix it was to repeat */

/* Regions that a program may mark, see region.h. */
enum region_bits { REGION_EXPLORE = 1, REGION_ATOMIC = 2 };

struct memory_table;
struct await_table;

/* The thread of choice i makes its pending load without an event, and the strategy is asked again: a replay passes the loads of
   spin loops that left no event in the recording. */
#define PICK_PASS(i) (-16 - (int)(i))

/*
 * The execution so far. `event[0 .. n)` is what happened. `pending[t]` is, for every thread t <
 * threads, the operation that it has announced and not yet performed, as an event preview (kind,
 * obj, mode, flags as if it were performed successfully, alt = ALT_NORMAL); kind EV_NONE when the thread has none
 * (not created yet, or ended). `alts[t]` is the set (bit mask) of alternatives enabled in the
 * last state; 0 = blocked. The same for drain agents, MAX_THREADS <= t < MAX_THREADS + agents: pending is the UPDATE of the
 * oldest store that they are to drain.
 */
struct trace {
	uint32_t n;       /* events so far */
	uint32_t cap;     /* room in event[] */
	uint32_t threads; /* ids of threads below this may have occurred */
	uint32_t agents;  /* the same of drain agents, counted from MAX_THREADS */
	struct event *event;
	struct event *pending;
	uint8_t *alts;
	const struct memory_table *memory; /* where cells of memory are (memory.h); NULL: there are none */
	const struct await_table *await;   /* what is known of spin loops (await.h); NULL: nothing */
};

/* Does some thread wait at an assumption that does not hold? Then the execution is RUN_ASSUMED where it would be RUN_OK or, without a
   circle of threads that wait for each other, RUN_DEADLOCK. */
static inline bool trace_assumed(const struct trace *trace)
{
	for (uint32_t t = 0; t < trace->threads; t++)
		if (trace->pending[t].kind == EV_ASSUME)
			return true;
	return false;
}

/* What `pick` is shown. Choices are sorted by thread, then alternative; n >= 1. */
struct sched_view {
	const struct choice *choices;
	unsigned n;
	thread_id current; /* thread of the last event; NO_THREAD at the start */
	bool current_yielded; /* its last event was a YIELD, SLEEP or GIVE_WAY: prefer another thread */
	bool atomic; /* in the middle of an atomic region: no thread but its own has choices (region.h) */
	bool interrupted; /* the last event left its thread in an atomic region, and it cannot go on: others can */
	bool closed; /* outside of the regions to explore: the only choice is the one that this state always has */
	const struct trace *trace;
	/* The event that choice c would be if it were performed now (exact: outcome, modes, seq). Valid
	   until the next step. */
	void (*preview)(const void *world, struct choice c, struct event *out);
	/* A name of object o (never 0) that does not depend on the order in which objects were first used: objects of
	   two executions that have the same name are the same. NULL: there are none, and optimal may lose traces. */
	uint64_t (*object_name)(const void *world, object_id o);
	const void *world;
};

struct strategy_ops {
	const char *name;
	/* Starts an execution. false: the search is finished, start no further one. */
	bool (*begin)(void *self);
	/* Index into view->choices, or PICK_STOP, PICK_DIVERGED, PICK_PASS(index). */
	int (*pick)(void *self, const struct sched_view *view);
	/* What really happened; it is trace->event[trace->n - 1] already. */
	void (*observe)(void *self, const struct event *e);
	/* The execution is over; trace holds all of it. Called once per begin, maybe by another process. */
	void (*end)(void *self, const struct trace *trace, enum run_verdict verdict);
	/* Instead of `end`, when the execution was broken off for a reason that has nothing to do with the program: the next one is the
	   same again, as if `begin` had been called. Not when that was in the middle of another of these calls. false: it cannot be, and
	   nothing has changed. NULL: it never can. */
	bool (*again)(void *self);
};

struct strategy {
	const struct strategy_ops *ops;
	void *self;
};

#endif
