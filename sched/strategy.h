/*
 * The interface of everything that decides schedules, and what it gets to see. Every strategy (explore/), the forced schedule of a replay
 * (replay/) and the fake executors of the tests use this interface, and no other, to the scheduler.
 *
 * One execution is: begin, then pick and observe in alternation, then end. `pick` chooses among the enabled choices; the scheduler performs
 * the choice and reports the event with `observe`. The trace of the running execution lies in `struct trace`. The scheduler maintains it,
 * and the strategy may read it at any time: when the process that ran the execution dies, another process that maps the same memory calls
 * `end`, and the search continues.
 */
#ifndef SIMUL_STRATEGY_H
#define SIMUL_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/event.h"

#define PICK_STOP (-1)     /* redundant (sleep-set blocked) or out of budget: end this execution */
#define PICK_DIVERGED (-2) /* the program did something else than in the prefix to be repeated */

/* Regions that a program may mark, see region.h, and critical sections that are steps, see section.h. */
enum region_bits {
	REGION_EXPLORE = 1,
	REGION_ATOMIC = 2,
	REGION_SECTIONS = 4,
};

struct memory_table;
struct await_table;
struct step_table;

/* The thread of choice i makes its pending load without an event, and `pick` is called again. A replay uses it to pass the loads of spin
   loops that left no event in the recording. */
#define PICK_PASS(i) (-16 - (int)(i))

/*
 * The execution so far. `event[0 .. n)` are its events. For every thread t < threads, `pending[t]` is the operation that it has announced
 * and not yet performed, as an event preview (kind, obj, mode, flags as if it succeeded, alt = ALT_NORMAL); kind EV_NONE when there is none
 * (the thread is not created yet, or has ended). `alts[t]` is the set (bit mask) of alternatives enabled in the latest state; 0 = blocked.
 * The same holds for drain agents, MAX_THREADS <= t < MAX_THREADS + agents: pending is the UPDATE of the oldest store that they will drain.
 */
struct trace {
	uint32_t n;       /* events so far */
	uint32_t cap;     /* room in event[] */
	uint32_t threads; /* ids of threads below this may have occurred */
	uint32_t agents;  /* the same for drain agents, counted from MAX_THREADS */
	uint32_t visible; /* at `look`: how often memory has become visible; then what was no event may be one */
	struct event *event;
	struct event *pending;
	uint8_t *alts;
	const struct memory_table *memory; /* where cells of memory are (memory.h); NULL: there are none */
	struct await_table *await;         /* what is known about spin loops (await.h); NULL: nothing */
	const struct step_table *steps;    /* steps of processes that the program schedules itself (step.h); NULL: there are none */
};

/* Returns whether some thread waits at an assumption that does not hold. Then the execution is RUN_ASSUMED instead of RUN_OK, or instead
   of RUN_DEADLOCK if no threads wait for each other in a cycle. */
static inline bool trace_assumed(const struct trace *trace)
{
	for (uint32_t t = 0; t < trace->threads; t++)
		if (trace->pending[t].kind == EV_ASSUME)
			return true;
	return false;
}

/* What the strategy `graphs` needs of a pending operation besides its event. */
struct access_order {
	uint8_t order, fail; /* enum rc11_order of an access or a fence; of a compare-and-swap that fails */
	uint8_t compares;    /* 1: a compare-and-swap */
	uint8_t frees;       /* 1: it is no access, but ends a block or a mapping */
	uint8_t timed;       /* 1: a call that time may end */
	uint8_t update;      /* enum rc11_update + 1 of another read-modify-write; 0: unknown, or it is none */
	thread_id other;     /* THREAD_CREATE, THREAD_JOIN: the other thread */
	uint16_t size;       /* bytes; more than 8 count as 9 */
	uint64_t operand;    /* what it stores, or the operand of the update; 0 if that is unknown */
	uint64_t expected;   /* a compare-and-swap: the value that it expects */
	uint64_t now;        /* the value that memory holds at its place; the latest store */
	uint64_t stored;     /* what the latest store of at most 8 bytes has stored */
	uint32_t epoch;      /* of its thread in happens-before */
};

/* The state that `pick` sees. Choices are sorted by thread, then by alternative; n >= 1. */
struct sched_view {
	const struct choice *choices;
	unsigned n;
	thread_id current; /* thread of the last event; NO_THREAD at the start */
	bool current_yielded; /* its last event was a YIELD, SLEEP or GIVE_WAY: prefer another thread */
	bool atomic; /* inside an atomic region: only its own thread has choices (region.h) */
	bool interrupted; /* the last event left its thread in an atomic region, and the thread cannot continue: others can */
	bool closed; /* outside the regions to explore: the only choice is the one that this state always has */
	const struct trace *trace;
	/* Computes the event that choice c would be if it were performed now (exact: outcome, modes, seq). Valid until the next step. */
	void (*preview)(const void *world, struct choice c, struct event *out);
	/* Returns a name of object o (never 0) that does not depend on the order in which objects were first used: objects of two
	   executions with the same name are the same object. NULL: there are no names, and optimal may lose traces. */
	uint64_t (*object_name)(const void *world, object_id o);
	/* Under RC11: describes the pending operation of t. NULL under other models. */
	void (*access)(const void *world, thread_id t, struct access_order *out);
	const void *world;
	/* Under RC11, for `ordered`: the latest epoch of thread `of` that happens before what t does now; 0: none. */
	uint32_t (*seen)(const void *world, thread_id t, thread_id of);
};

struct strategy_ops {
	const char *name;
	/* Starts an execution. Returns false when the search is finished; then start no further one. */
	bool (*begin)(void *self);
	/* Index into view->choices, or PICK_STOP, PICK_DIVERGED, PICK_PASS(index). */
	int (*pick)(void *self, const struct sched_view *view);
	/* Under RC11, after pick has chosen a thread whose access may read, or be placed after, several stores:
	   view->choices has them, as alternatives of this thread, the latest first. Results as of pick; not PICK_PASS.
	   NULL: always the latest. */
	int (*pick_store)(void *self, const struct sched_view *view);
	/* Reports the performed event; it is trace->event[trace->n - 1] already. */
	void (*observe)(void *self, const struct event *e);
	/* Under RC11, after observe, and for a fence when its order counts already: says what happens before what the
	   thread of the event does next (view->seen). The view has nothing else but `world`. NULL: it is not called. */
	void (*ordered)(void *self, const struct sched_view *view);
	/* Before `end`, of an execution that may be the last one: looks for what makes the search begin again, such as
	   spin loops that are not as they seemed (trace->await). NULL: there is nothing to look for. */
	void (*look)(void *self, const struct trace *trace);
	/* Ends the execution; trace holds all of it. Called once per begin, possibly by another process. */
	void (*end)(void *self, const struct trace *trace, enum run_verdict verdict);
	/* Called instead of `end` when the execution was broken off for a reason unrelated to the program: the next execution is the
	   same one, as if `begin` had been called. Must not be used when another of these calls was interrupted. Returns false when that
	   is impossible; then nothing has changed. NULL: it is never possible. */
	bool (*again)(void *self);
};

struct strategy {
	const struct strategy_ops *ops;
	void *self;
};

#endif
