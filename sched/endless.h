/*
 * Threads that never end (world_config.endless): a thread that main does not wait for, in a loop without an end. It beats, sleeps or polls until the
 * process ends. The number of its turns has no limit, and neither has the number of traces.
 *
 * Where the process would exit, but some thread still runs after LATE_EXIT_EVENTS events, or where a thread alone has used up half of --max-steps, a *probe*
 * finds out whether that thread is in such a loop: it runs alone, until it ends or --max-steps is near. If it does
 * not end, and has passed some place
 * once in ENDLESS_TURN events, the table of limits gets an entry for the thread and one place of its loop. A place is
 * an instruction and the kind of its operation. A thread that gives way again and again (EV_GIVE_WAY) makes no other event, and needs no probe.
 *
 * A thread goes no further when it has passed a place with a limit ROUNDS_TRIED times. A timed wait for a condition at that place is not stopped: it
 * gives the mutex free, and can be woken, but does not time out. Whether a thread has passed the place so often follows from its own events alone.
 * So a search explores another program completely, one whose thread stops there. In that program the exit comes where nothing else can happen
 * (late_exit.h). The verdict says that turns were left out.
 *
 * A thread that stops must not hold a lock, since other threads would wait for it. So the place is one where the thread holds none.
 */
#ifndef SIMUL_ENDLESS_H
#define SIMUL_ENDLESS_H

#include <stdbool.h>
#include <stdint.h>

#define ENDLESS_LIMITS 16  /* entries */
#define ENDLESS_COUNTED 24 /* places that a probe counts */
#define ENDLESS_MANY 10000 /* a probe has room for so many turns, */
/* or fewer, but at least so many, if --max-steps leaves no room for more. A loop that makes them is endless if the
   thread does not end before that room is used up */
#define ENDLESS_FEWER 500
#define ENDLESS_TURN 16 /* events of a turn: at most so many on average */
/* a probe leaves this part of the events up to --max-steps: other threads may have to run, too */
#define ENDLESS_ROOM_LEFT 8
#define ENDLESS_PROBES 4   /* probes of a thread */
#define ENDLESS_GIVES 3    /* a thread that gives way so often in a row computes for ever */

enum endless_probe {
	ENDLESS_OFF,
	ENDLESS_RUNS, /* the thread runs alone */
	ENDLESS_OVER, /* the table has changed; the execution may end */
};

struct endless_limits {
	uint32_t n;      /* entries */
	uint32_t used;   /* 1: some thread went no further because of an entry */
	uint32_t probe;  /* enum endless_probe */
	uint32_t thread; /* ENDLESS_RUNS: the thread, */
	uint32_t enough; /* so many turns are enough, */
	uint32_t until; /* the probe ends when the trace has so many events, */
	uint32_t counted, pad_;
	struct endless_count {
		uint64_t place;
		uint32_t n;
		uint32_t idle; /* 1: the thread sleeps, yields or waits with a limit of time there */
	} count[ENDLESS_COUNTED]; /* and how often it passed which places where it holds no lock */
	struct {
		uint64_t place;  /* 0: none, the thread was probed only */
		uint32_t thread;
		uint32_t ended;  /* number of probes that found no loop without end */
	} at[ENDLESS_LIMITS];
};

struct world;
struct wthread;
struct event;

/* The parts of endless_step.h for when threads have limits, or one is probed. */
void endless_announced(const struct world *w, struct wthread *t);
void endless_performed(const struct world *w, struct wthread *t, const struct event *e);
/* Returns whether t goes no further. */
bool endless_over(const struct world *w, const struct wthread *t);
/* Returns whether t's wait does not time out because of a limit. */
bool endless_no_timeout(const struct world *w, const struct wthread *t);

#endif
