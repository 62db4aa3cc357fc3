/*
 * Bounded partial-order reduction: depth-first search over schedules with at most K preemptions.
 *
 * Paper: Coons, Musuvathi, McKinley, "Bounded partial-order reduction" (OOPSLA 2013). bpor.md has the rules, their differences from the
 * paper, and the argument that no trace within the bound is lost. It serves for comparison with trust: traces may be explored more than
 * once.
 *
 * Paper                                       Code
 *   backtrack(s)                                the choices of a node that are planned or explored (enum choice_state)
 *   Pb(S)                                       node i: place.spent, before its event
 *   Backtrack(S, i, u), conservative points     bpor_plan
 *   ext(s, t)                                   what thread t does from s on until it is blocked, if it runs alone: place.run
 */
#ifndef SIMUL_BPOR_H
#define SIMUL_BPOR_H

#include "explore/search.h"

/* The state of a choice of a node. */
enum choice_state { CHOICE_NEW = 0, CHOICE_PLANNED, CHOICE_TAKEN, CHOICE_OVER_BOUND };

/* Data of bpor for a node. */
struct place {
	uint32_t spent;       /* preemptions before its event: switches away from threads that were enabled and have run again since */
	uint32_t run_at;      /* runs[run_at .. + run_n): what its thread does from here on when it runs alone, followed by the event
			         that it waits for */
	uint32_t run_n;       /* 0: not known, or useless for a sleep set */
	uint32_t inherited;   /* sleepers inherited from the state before */
	uint32_t restless;    /* no choice is put to sleep here: the order in which they are taken does not allow it */
};

static inline struct place *place_at(struct search *s, uint32_t i)
{
	return (struct place *)vec_data(&s->core, &s->bpor.places) + i;
}
/* State of choice k of node i. */
static inline uint8_t *choice_state(struct search *s, uint32_t i, uint32_t k)
{
	return (uint8_t *)vec_data(&s->core, &s->bpor.choice_states) + node_at(s, i)->choice_at + k;
}
static inline const struct event *choice_at(struct search *s, uint32_t i, uint32_t k)
{
	return (struct event *)vec_data(&s->core, &s->trace.choices) + node_at(s, i)->choice_at + k;
}

/* Returns whether thread t has a choice at node i. */
bool bpor_enabled(struct search *s, uint32_t i, thread_id t);
/* Plans all new choices of thread t at node i. Returns false, and plans none, when t sleeps there. */
bool bpor_plan_thread(struct search *s, uint32_t i, thread_id t);
/* bpor_plan_thread for all threads. */
void bpor_plan_all(struct search *s, uint32_t i);

/* ---- bpor_sleep.c ---- */

/* Gives the topmost node i the sleep set that it inherits over event i - 1. Returns false when memory is used up. */
bool bpor_inherit(struct search *s, uint32_t i, const struct sched_view *view);
/* Puts the explored event of the topmost node i to sleep there, where that is sound. Returns false when memory is used up. */
bool bpor_fall_asleep(struct search *s, uint32_t i);
/* Returns whether thread t has slept since a state before node i. */
bool bpor_asleep(struct search *s, uint32_t i, thread_id t);
/* Finds the runs of nodes [from, all) after the execution is over. Returns false when memory is used up. */
bool bpor_find_runs(struct search *s, uint32_t from, const struct trace *trace);

/* ---- bpor_plan.c: what reverses a race ---- */

/* Records until bpor_plan that event d conflicts with event `e`, or that `e` waits for d. `e` is in the trace or pending at its end. */
void bpor_note(struct search *s, uint32_t d);
/* Plans the choices that let e come before the recorded events, and clears the record. c: clock (w numbers) of what happens before e. */
void bpor_plan(struct search *s, const struct event *e, const uint32_t *c, uint32_t w);
/* Plans all choices at node i, and at the nodes where the run of its thread up to i may begin. */
void bpor_plan_open(struct search *s, uint32_t i);

#endif
