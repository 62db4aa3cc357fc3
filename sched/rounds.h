/*
 * Rounds of waiting loops that contain events: try a lock and yield; lock, look at a flag, unlock and sleep. docs/rounds.md argues that no
 * behaviour is lost.
 *
 * An operation may be announced with a *state* (op.state): a hash of everything that decides what its thread does next. If the thread comes
 * back to a state, and has done nothing but wait in between, it has made a *round*. Left out, all other threads would do the same, and so
 * would the thread itself afterwards. So the thread goes no further: its operation is not enabled any more, and shown as WAITING. A search
 * of all traces finds the other executions, in which the thread looks later, by the races of the round's own events.
 *
 * A loop that counts its turns, or reads a clock, never comes back to a state. Where the table of limits says so, its thread goes no further
 * after ROUNDS_TRIED turns; a timed wait for a condition can then still be woken, but cannot time out. That leaves out behaviours, so the verdict
 * says it.
 *
 * To wait means: yields and sleeps; tries that fail; loads, and compare-and-swaps that fail; locks that are taken and given back, if no
 * try of another thread failed because of that; writes to visible memory that are undone, if no other thread accessed these bytes meanwhile.
 */
#ifndef SIMUL_ROUNDS_H
#define SIMUL_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#define ROUNDS_TRIED 2     /* turns of a loop with a limit */
#define ROUNDS_PLACES 64   /* places in the table */
#define ROUNDS_SUSPECT 20  /* after this many turns a probe finds out whether the loop ends by itself; */
#define ROUNDS_PROBES 4    /* at most so many times, each after twice as many turns as before, since the loop may end by chance just then */
#define ROUNDS_EARLY 32    /* places of early probes: after 2, 4, 8 and 16 turns. If the loop ends, the search makes the same execution again */
#define ROUNDS_HELPED 2    /* after so many probes in which the thread needed others to leave the loop, the loop has a limit */
/* a loop has a limit after so many events in a probe, or as many as --max-steps has room for, */
#define ROUNDS_MANY 160000
#define ROUNDS_TURNS 1000 /* in which it has made at least so many turns */

enum rounds_probe {
	PROBE_OFF,
	PROBE_WANTED, /* a thread has made many turns, and it is not known whether the loop ends */
	PROBE_RUNS, /* the thread now runs alone, until it leaves the loop or there are `enough` events */
	PROBE_OVER, /* the place is in the table; the execution may end */
};

/* What is known about loops that wait, by the places of their operations. When it changes, the search restarts. */
struct rounds_limits {
	uint32_t n;      /* places */
	uint32_t changes, applied; /* number of changes, and those that the search knows */
	uint32_t used;   /* 1: some thread went no further because of a limit */
	uint32_t probe;  /* enum rounds_probe */
	uint32_t thread; /* PROBE_WANTED, PROBE_RUNS: the thread */
	uint32_t help;   /* PROBE_RUNS: 1: the thread could not run, so another thread has */
	uint32_t enough; /* PROBE_RUNS: a loop with ROUNDS_TURNS turns has a limit when the trace has so many events */
	uint64_t probed; /* the place */
	uint64_t helped; /* bit i: that happened in a probe of place[i] */
	uint64_t limited; /* bit i: the loop at place[i] has a limit */
	uint64_t place[ROUNDS_PLACES];
	uint8_t ended[ROUNDS_PLACES]; /* how often the loop ended in a probe */
	uint8_t early_probes[ROUNDS_EARLY]; /* how often an early probe began */
	uint64_t early_place[ROUNDS_EARLY]; /* at this place; */
	uint32_t early_places; /* entries */
	uint32_t early; /* 1 + index of the place, if this execution has an early probe; 0: none, or it has found a loop that needs a limit */
};

struct world;
struct wthread;
struct event;

/* t has announced its operation. */
void rounds_announced(struct world *w, struct wthread *t);
/* *e was performed. Call it before its objects count as changed. */
void rounds_performed(struct world *w, struct wthread *t, const struct event *e);
/* Call it before `by` performs its operation. If it accesses bytes that others have written in a round, they have been noticed, and the round cannot be left out. */
void rounds_noticed(struct world *w, const struct wthread *by);
/* Call it when an execution is over, perhaps in the middle of a probe. */
void rounds_probe_end(struct rounds_limits *limits);
/* Gives up an early probe, if there is one. If it has not begun, it does not count. */
void rounds_probe_forget(struct rounds_limits *limits);
/* Call it when an execution is over. Returns whether an early probe ended it and has shown nothing, so the search must make it again. */
bool rounds_make_again(struct rounds_limits *limits);
/* Returns whether t goes no further. */
bool rounds_over(const struct world *w, const struct wthread *t);
/* Returns whether t's wait does not time out because that would exceed a limit. */
bool rounds_no_timeout(const struct world *w, const struct wthread *t);
/* Returns whether a round of t has just ended: it is in the state in which it began. */
bool rounds_closed(const struct wthread *t);
/* Returns whether t would go no further if rounds were left out in this execution. */
bool rounds_matter(const struct wthread *t);

#endif
