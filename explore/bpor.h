/*
 * Bounded partial-order reduction: depth-first search over schedules with at most K preemptions.
 *
 * Paper: Coons, Musuvathi, McKinley, "Bounded partial-order reduction" (OOPSLA 2013). bpor.md has the rules, where they differ from the
 * paper's, and why no trace within the bound is lost. For comparison with trust: traces may be explored more than once.
 *
 * There                                        here
 *   backtrack(s)                                the choices of a node that are planned or explored (enum choice_state)
 *   Pb(S)                                       node i: place.spent, before its event
 *   Backtrack(S, i, u), conservative points     bpor_plan
 *   ext(s, t)                                   what thread t does from s on until it is blocked, if it runs alone: place.run
 */
#ifndef SIMUL_BPOR_H
#define SIMUL_BPOR_H

#include "explore/search.h"

/* Of a choice of a node. */
enum choice_state { CHOICE_NEW = 0, CHOICE_PLANNED, CHOICE_TAKEN, CHOICE_TOO_DEAR };

/* What goes with a node. */
struct place {
	uint32_t spent;       /* preemptions before its event: switches away from threads that were enabled and have run again since */
	uint32_t run_at;      /* runs[run_at .. + run_n): what its thread does from here on by itself, then what it waits for */
	uint32_t run_n;       /* 0: not known, or of no use for a sleep set */
	uint32_t inherited;   /* sleepers that come from the state before */
	uint32_t restless;    /* nobody is put to sleep here: its order of choices does not allow it */
};

static inline struct place *place_at(struct search *s, uint32_t i)
{
	return (struct place *)vec_data(s, &s->places) + i;
}
/* State of choice k of node i. */
static inline uint8_t *choice_state(struct search *s, uint32_t i, uint32_t k)
{
	return (uint8_t *)vec_data(s, &s->choice_states) + node_at(s, i)->choice_at + k;
}
static inline const struct event *choice_at(struct search *s, uint32_t i, uint32_t k)
{
	return (struct event *)vec_data(s, &s->choices) + node_at(s, i)->choice_at + k;
}

/* Does thread t have a choice at node i? */
bool bpor_enabled(struct search *s, uint32_t i, thread_id t);
/* Plans all choices of thread t at node i that are new, none that sleep; false: t sleeps there. */
bool bpor_plan_thread(struct search *s, uint32_t i, thread_id t);
/* The same for all threads. */
void bpor_plan_all(struct search *s, uint32_t i);

/* ---- bpor_sleep.c ---- */

/* Gives the topmost node i the sleep set that it inherits over event i - 1. false: no memory. */
bool bpor_inherit(struct search *s, uint32_t i, const struct sched_view *view);
/* Puts the explored event of the topmost node i to sleep there, where that is sound. false: no memory. */
bool bpor_fall_asleep(struct search *s, uint32_t i);
/* Does thread t sleep at node i since a state before it? */
bool bpor_asleep(struct search *s, uint32_t i, thread_id t);
/* The execution is over: learns the runs of nodes [from, all). false: no memory. */
bool bpor_learn_runs(struct search *s, uint32_t from, const struct trace *trace);

/* ---- bpor_plan.c: what a race asks for ---- */

/* Event `e`, an event of the trace or pending at its end, conflicts with event d, or waits for it: to be remembered until bpor_plan. */
void bpor_note(struct search *s, uint32_t d);
/* Plans what lets e come before the events noted, and forgets them. c: clock of what happens before e (w numbers). */
void bpor_plan(struct search *s, const struct event *e, const uint32_t *c, uint32_t w);
/* Plans everything at node i, and where its thread's run up to it may begin. */
void bpor_plan_open(struct search *s, uint32_t i);

#endif
