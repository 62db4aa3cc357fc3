/* What the parts of gate.h share: the tables of the plan, and how far its events have been performed. */
#ifndef SIMUL_GATE_INTERNAL_H
#define SIMUL_GATE_INTERNAL_H

#include "enforce/lib/gate.h"
#include "enforce/lib/stall.h"

/* Tables of the plan, which each event reads. */
extern const struct plan_event *gate_events;
extern const struct plan_thread *gate_threads;
extern const struct plan_object *gate_objects;
extern const uint32_t *gate_mine;
extern bool *gate_sent_to; /* by thread: whether the prefix sends it signals */
/* The events of the prefix that depend on everything (K_ALL), in order. */
extern uint32_t *gate_dependent, gate_n_dependent;
extern unsigned gate_spin_rounds; /* how often a thread looks before it sleeps */

static inline const struct plan_event *event_at(uint32_t i)
{
	return &gate_events[i];
}

static inline const struct plan_thread *thread_at(uint32_t t)
{
	return &gate_threads[t];
}

static inline const struct plan_object *object_at(uint32_t o)
{
	return &gate_objects[o];
}

/* Returns whether the object stands for all files. */
static inline bool is_all_files(uint32_t o)
{
	return object_at(o)->kind == OBJ_FD && object_at(o)->at.module == PLAN_FILES;
}

static inline uint32_t certified(void)
{
	return __atomic_load_n(&gate_plan->certified, __ATOMIC_ACQUIRE);
}

/* Returns the index of the k-th event of a thread; PLAN_NONE if it has fewer events. */
static inline uint32_t event_of(uint32_t thread, uint32_t k)
{
	const struct plan_thread *t = thread_at(thread);

	return k < t->n ? gate_mine[t->first + k] : PLAN_NONE;
}

/* ---- the choice (plan.h) ---- */

/* Returns whether event i of the prefix is its last one, and others may be performed instead. */
static inline bool is_choice(uint32_t i)
{
	return gate_plan->n_instead && i + 1 == gate_plan->n_events && certified() == gate_plan->n_events;
}

/* Returns whether the event may be chosen. */
static inline bool may_be_chosen(uint32_t i)
{
	return i != PLAN_NONE && gate_plan->n_instead && i + 1 >= gate_plan->n_events &&
	       certified() == gate_plan->n_events;
}

static inline uint32_t choice(void)
{
	return __atomic_load_n(&gate_plan->choice, __ATOMIC_SEQ_CST);
}

/* Returns the event that threads wait for when they wait for event i: another one if another one was chosen. */
static inline uint32_t in_place_of(uint32_t i)
{
	uint32_t chosen = is_choice(i) ? choice() & ~PLAN_CHOSEN : 0;

	return chosen ? chosen - 1 : i;
}

static inline bool performed(uint32_t i)
{
	const struct plan_event *e = event_at(i);

	if (i >= certified())
		return true;
	if (is_choice(i))
		return choice() & PLAN_CHOSEN;
	return __atomic_load_n(&gate_progress[e->thread].done, __ATOMIC_ACQUIRE) > e->k;
}

/* ---- how the prefix goes on ---- */

/* Returns whether the thread's next event is in the prefix. The choice belongs to no thread. */
static inline bool has_more(uint32_t thread, uint32_t done)
{
	uint32_t i = event_of(thread, done);

	return i != PLAN_NONE && i < certified() && !is_choice(i);
}

/* Returns whether the prefix sends the running thread a signal, on which everything depends that it does next. */
static inline bool is_sent_to(void)
{
	return self.thread != PLAN_NONE && gate_sent_to[self.thread];
}

/* Waits until event i of the prefix has been performed. */
void gate_wait_for(uint32_t i);
/* Waits for the first n events of the prefix. */
void gate_wait_for_first(uint32_t n);
/* Waits for those of the first n events of the prefix on which an operation on these objects depends: rule 2. */
void gate_wait_for_objects(const struct use *use, unsigned n_uses, uint32_t n);
/* The running thread comes to an event after the prefix: rule 2. */
void gate_wait_behind(enum event_kind kind, const struct use *use, unsigned n);
/* Call it when the running thread has performed its last event of the prefix. The thread that does so last sees
   everything that the others have written. */
void gate_finish_thread(void);

/* Writes what a thread does for people: "lock m". */
void gate_describe(enum event_kind kind, const struct use *use, unsigned n, char *buf, size_t size);

#endif
