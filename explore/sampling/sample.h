/*
 * What the sampling strategies share (random, pct, pos, surw): seeds, the state of each thread in the running execution, and the end of an
 * execution. They never finish by themselves and prove nothing.
 *
 * Execution number i depends on the seed and on i; with pct and surw also on a profile of the earlier executions, which itself depends only
 * on the seed. No decision depends on the address of the memory.
 */
#ifndef SIMUL_SAMPLE_H
#define SIMUL_SAMPLE_H

#include "explore/core.h"
#include "sched/choice.h"

struct search;

#define SAMPLE_RECENT 16u

/* A thread or a drain agent; here an agent counts as a thread of its own. Reset in each execution. */
struct runner {
	uint32_t epoch;      /* execution in which this was filled, see struct sampling */
	uint32_t updates;    /* surw: for an agent, the counted stores in its buffer */
	uint32_t redrawn;    /* pos: how often its pending event got a new priority */
	uint8_t lowered[ALT_COUNT]; /* pct: the change point that lowered it, 0 none; by alternative */
	uint16_t seen;       /* pct: alternatives that have been enabled, one bit each */
	/* giving way, see giveway.h */
	uint8_t next;        /* next position in recent[] */
	uint8_t holds;       /* locks of a cycle that it holds, in directed executions; see lock_order.h */
	uint32_t repeats;    /* weighted length of its current run of repeated events */
	uint32_t asked;      /* how often it asked to give way */
	uint32_t until;      /* the thread is passed over while the execution has fewer events than this */
	uint32_t recent[SAMPLE_RECENT]; /* hashes of its latest events */
};

struct sampling {
	uint32_t epoch;   /* number of the execution, from 1 */
	uint32_t seen;    /* events of the running execution that were processed */
	uint32_t parked;  /* some thread may have to be passed over until the execution has this many events */
	uint32_t gave;    /* some thread was passed over in this execution */
	uint32_t streak;  /* length of the current run of events of one thread */
	uint32_t running; /* the thread of that run */
	uint64_t rng;    /* state of the generator in this execution */
	uint64_t draw;    /* the number of this execution from which priorities are drawn */
	struct vec runners, agents; /* struct runner, by thread_id */
	struct vec others; /* uint8_t by event: whether its thread had another alternative */
	struct vec offered; /* scratch of giveway.c: uint32_t */
	/* pct */
	uint32_t runs_in; /* number of different threads enabled so far in this execution */
	uint32_t events;  /* change points were drawn from 1 .. this; 0: there are none */
	uint32_t whole;   /* some execution has ended without being cut */
	uint32_t outdated; /* see explore_more_events */
	uint32_t change[EXPLORE_DEPTH_MAX];
	/* surw, see surw_profile.h */
	struct vec touched; /* struct touched, in the order of the first access */
	struct vec index; /* uint32_t: index + 1 in touched, a hash table; 0: empty */
	struct vec weight; /* uint32_t by thread_id */
	struct vec left;  /* uint32_t by thread_id: weight left in the running execution, see surw.c */
	uint64_t only;    /* the one object that counts; 0: all shared ones */
	thread_id intended;
	uint8_t profiled; /* a profile exists */
	uint8_t pad_;
	struct vec orders; /* struct edge in lock_order.c */
	uint32_t slow;    /* average number of events for which threads with locks of a cycle are passed over; 0: no directed execution */
	thread_id far;    /* exploratory executions: the thread that runs ahead, see exploratory.c */
	thread_id goes_on; /* the one that goes on where all are passed over; NO_THREAD: none */
	aref windows;     /* struct windows, see windows.h; 0: not yet */
};

/* Returns NULL before the first sample_begin. */
static inline struct sampling *sample_of(struct core *s)
{
	return arena_ptr(core_arena(s), s->sampling);
}

/* strategy.begin. Returns false when the budget or the memory is used up. */
bool sample_begin(struct core *s);
/* strategy.end: counts the execution and its trace. */
void sample_end(struct search *s, const struct trace *trace, enum run_verdict verdict);
/* The same for an execution that the strategy has ended early: its trace is not counted. */
void sample_ended_early(struct search *s, const struct trace *trace);
/* strategy.observe. Does nothing: the next pick processes the events. */
void sample_observe(void *self, const struct event *e);

/* Returns the thread's state in this execution; NULL when memory is used up. The pointer is valid until the next call. */
struct runner *sample_runner(struct core *s, thread_id t);

/* Returns a random number below n; n must not be 0. */
uint32_t sample_below(struct core *s, uint32_t n);
/* Returns whether choice i is a CHOOSE with another value than the first. Strategies that compare threads count a CHOOSE as one choice. */
static inline bool sample_is_other_value(const struct sched_view *view, uint32_t i)
{
	return choose_is_part(view->choices[i].alt);
}
/* Returns the choice to perform after choice i was picked: i, or for a CHOOSE the choice of one of its values, all equally likely. */
int sample_value(struct core *s, const struct sched_view *view, uint32_t i);
/* strategy.pick_store: the latest store in half of the cases, else one of the others, all equally likely. */
int sample_pick_store(void *self, const struct sched_view *view);
/* Returns one of the choices c[0 .. n), all equally likely. */
static inline uint32_t sample_one(struct core *s, const uint32_t *c, uint32_t n)
{
	return c[sample_below(s, n)];
}

#endif
