/*
 * The two rules that keep a program in its certified schedules. The certificate orders the first events of its threads, the *prefix*.
 *
 * 1. The k-th event of a thread that is in the prefix waits until the events that must come before it have been performed.
 * 2. An event after the prefix waits until all events of the prefix on the same object have been performed.
 *
 * Instead of the last event of the prefix, others may be performed (struct plan): the first thread that comes to one of these events after the rest
 * of the prefix on its objects chooses it. Then it is in the prefix, and the others are after it. Before the choice, an event on an object
 * of any of them waits.
 *
 * Each thread counts its performed events in a word of its own, which others read; it is written after the operation, never before. When the whole
 * prefix has been performed `gate_on` becomes false, and everything runs as without this library. docs/enforcement.md has the proof that no
 * deadlock is added.
 */
#ifndef SIMUL_GATE_H
#define SIMUL_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "enforce/plan.h"
#include "sched/event.h"

/* What an operation is done to. */
struct use {
	uint32_t kind; /* enum object_kind */
	uint32_t thread; /* OBJ_THREAD: index into the plan's threads; PLAN_NONE: a thread that the plan does not know */
	uint64_t addr;
	uint32_t size; /* OBJ_MEMORY */
};

/* Whether some event of the prefix has not been performed. False before the first thread is created, and without a plan. */
extern bool gate_on;
/* Whether the program is running. From then on the input that it asks for is compared with the certificate. */
extern bool gate_ready;
/* Whether condition variables and barriers are those of this library. It does not change during the life of the process, since the
   program keeps them. */
extern bool gate_owns;

/* The running thread. */
struct self {
	uint32_t thread;   /* index into the plan's threads; PLAN_NONE: a thread that the plan does not know */
	uint32_t k;        /* events that it has begun */
	uint32_t children; /* threads that it has created */
	bool known;        /* the fields above are set */
	bool ended;
};
extern __thread struct self self;

/* Takes the plan; false: there is none. */
bool gate_init(void);
/* T0 is about to create the first thread. */
void gate_start(void);
/* Declares that the running thread is child number `child` of plan thread `parent`. */
void gate_thread(uint32_t parent, uint32_t child);
uint32_t gate_child(uint32_t parent, uint32_t child);

/* Waits until the operation may be performed. Returns whether it is an event of the prefix; then the caller must call gate_end after it. */
bool gate_begin_slow(enum event_kind kind, const struct use *use, unsigned n);
static inline bool gate_begin(enum event_kind kind, const struct use *use, unsigned n)
{
	return __builtin_expect(__atomic_load_n(&gate_on, __ATOMIC_ACQUIRE), 0) && gate_begin_slow(kind, use, n);
}
/* Waits until the whole prefix has been performed. `does`: what the running thread is about to do, which is in no prefix; so it diverges if
   it still has events in the prefix. */
void gate_all(const char *does);
/* Waits until the running thread's next event of the prefix may be performed. For events whose object is known only then. */
void gate_wait_turn(void);
/* It has been performed. */
void gate_end(void);
/* Returns the next event of the running thread if it is in the prefix, else NULL. The thread is about to perform an
   event: handlers that begin before it run during the call. */
const struct plan_event *gate_next(void);
/* The same for a call. With other arguments it may come before accesses that the thread need not make. */
const struct plan_event *gate_next_call(void);
/* Call it where the running thread changes its signal mask, looks at pending signals, or sends itself one. If the
   prefix sends it signals and it has performed its own part, it waits for the whole prefix and gets them. Returns
   false if it still has events in such a prefix. */
bool gate_receive(void);
/* The event that gate_begin said true of. */
const struct plan_event *gate_event(void);
/* Compares the event's outcome with the certificate. A different outcome is a divergence. */
void gate_outcome(bool failed);

/* Compares the `size` bytes that the event is about to read with the certificate. A different value is a divergence. Uses no vector
   register if they are equal. */
void gate_value(const void *at, uint32_t size);

/* Without protection from here on. */
void gate_off(void);

/* Reports that the program does not do what was certified. Returns only if the program shall continue without protection. */
void gate_diverge(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Returns zeroed memory for the life of the process. Ends it if there is none. */
void *gate_room(uint64_t bytes);

/* It cannot be enforced at all: exit status 2. */
void gate_refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

extern int gate_pid;           /* of the process that is enforced */
extern struct plan *gate_plan; /* NULL: none */
static inline const void *plan_at(uint64_t off)
{
	return (const char *)gate_plan + off;
}
static inline const char *plan_text(uint32_t off)
{
	return (const char *)gate_plan + gate_plan->texts + off;
}

/* By index: the address of each static object of the plan in this process; 0: not known yet. */
extern uint64_t *gate_address;

#endif
