/*
 * What the strategies that sample schedules share (random, pct, pos, surw): seeds, what is known of each thread in the running
 * execution, and how executions end. They never finish by themselves and prove nothing.
 *
 * Execution number i depends on the seed and on i; with pct and surw also on a profile of the executions before it, which is itself
 * a function of the seed. Nothing is decided by where memory lies.
 */
#ifndef SIMUL_SAMPLE_H
#define SIMUL_SAMPLE_H

#include "explore/search.h"

#define SAMPLE_RECENT 16u

/* A thread, or a drain agent: an agent is a thread of its own here. Anew in each execution. */
struct runner {
	uint32_t epoch;      /* in which execution this was filled, see struct sampling */
	uint32_t updates;    /* surw: of an agent, stores in its buffer that count */
	uint32_t redrawn;    /* pos: how often its pending event got another priority */
	uint8_t lowered[ALT_COUNT]; /* pct: by which change point, 0 none; by alternative */
	uint8_t seen;        /* pct: alternatives that were enabled, one bit each */
	/* giving way, see giveway.h */
	uint8_t next;        /* in recent[] */
	uint8_t pad_;
	uint32_t repeats;    /* events in a row that it has done before just so, weighted */
	uint32_t asked;      /* how often it asked to give way */
	uint32_t until;      /* passed over while there are fewer events than that */
	uint32_t recent[SAMPLE_RECENT]; /* what it did last */
};

struct sampling {
	uint32_t epoch;   /* counts executions, from 1 */
	uint32_t seen;    /* events of the running execution that were looked at */
	uint32_t parked;  /* somebody may have to be passed over until there are that many events */
	uint32_t gave;    /* in this execution somebody was passed over */
	uint32_t streak;  /* events in a row of one thread */
	uint32_t running; /* which */
	uint64_t draw;    /* of this execution: what priorities are drawn from */
	struct vec runners, agents; /* struct runner, by thread_id */
	struct vec others; /* uint8_t by event: its thread could have gone on in another way, too */
	/* pct */
	uint32_t runs_in; /* how many different ones were enabled in this execution */
	uint32_t events;  /* change points were drawn from 1 .. that; 0: there are none */
	uint32_t whole;   /* an execution that was not cut has ended */
	uint32_t outdated; /* see explore_more_events */
	uint32_t change[EXPLORE_DEPTH_MAX];
	/* surw, see surw_profile.h */
	struct vec touched; /* struct touched, in the order in which they were */
	struct vec index; /* uint32_t: index + 1 in touched, a hash table; 0: empty */
	struct vec weight; /* uint32_t by thread_id */
	struct vec left;  /* the same in the running execution, see surw.c */
	uint64_t only;    /* the one object that counts; 0: all that are shared */
	thread_id intended;
	uint8_t profiled; /* there is a profile */
	uint8_t pad_;
	thread_id far;    /* curious: whom the execution lets go on, see exploratory.c */
	uint8_t pad2_[2];
};

/* NULL before the first sample_begin. */
static inline struct sampling *sample_of(struct search *s)
{
	return arena_ptr(search_arena_of(s), s->sampling);
}

/* strategy.begin: false when the budget is used up or there is no memory. */
bool sample_begin(struct search *s);
/* strategy.end: counts the execution and its trace. */
void sample_end(struct search *s, const struct trace *trace, enum run_verdict verdict);
/* strategy.observe: nothing; events are looked at by the next pick. */
void sample_observe(void *self, const struct event *e);

/* The next event of the running execution that was not looked at yet; NULL when there is none. */
const struct event *sample_event(struct search *s, const struct trace *trace);
/* The thread's state in this execution; NULL when memory is used up. Good until the next call. */
struct runner *sample_runner(struct search *s, thread_id t);

/* A random number. */
uint64_t sample_draw(struct search *s);
/* One below n, which is not 0. */
uint32_t sample_below(struct search *s, uint32_t n);
/* Is choice i another value of a CHOOSE than the first? To strategies that compare threads a CHOOSE is one thing to do. */
static inline bool sample_is_other_value(const struct sched_view *view, uint32_t i)
{
	return view->choices[i].alt >= ALT_SECOND;
}
/* Choice i was picked: i, or, when it is a CHOOSE, the choice of one of its values, all equally likely. */
int sample_value(struct search *s, const struct sched_view *view, uint32_t i);
/* Index of one of the choices c[0 .. n), all equally likely. */
static inline uint32_t sample_one(struct search *s, const uint32_t *c, uint32_t n)
{
	return c[sample_below(s, n)];
}

#endif
