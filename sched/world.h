/*
 * The world: the model of everything the program's threads synchronise with.
 *
 * A pure state machine. The native target (preload/) and the toy interpreter of the tests drive
 * the same code: they name objects, announce operations, ask what is enabled, and step. One file a
 * kind of object (model_*.c) holds its state, when its operations are enabled and what they return,
 * as POSIX and glibc 2.36 define it.
 *
 * All memory comes from the arena given to world_init, which lies in memory that a fork or a
 * rewind restores: the world has no state anywhere else. No system call, clock, stdio or malloc.
 *
 * Virtual time: each thread has its own clock (nanoseconds). It moves when the thread sleeps, times
 * out or reads the clock, and joins other threads' clocks exactly along dependences (an ACQ takes
 * over the time of the REL before it, and so on), so that what a thread reads is a function of the
 * trace, not of the schedule.
 */
#ifndef SIMUL_WORLD_H
#define SIMUL_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sched/event.h"
#include "sched/ids.h"

struct world;
struct await_table;

/* Values of op.type for mutex operations; the numbers are glibc's PTHREAD_MUTEX_*. */
enum mutex_type {
	MUTEX_NORMAL = 0, /* relocking one's own: deadlock */
	MUTEX_RECURSIVE = 1,
	MUTEX_ERRORCHECK = 2,
	MUTEX_ADAPTIVE = 3,
	MUTEX_ROBUST = 16, /* flag */
};

/* What went wrong in a step, besides an error return the program can see. */
enum misuse {
	MISUSE_NONE = 0,
	MISUSE_UNLOCK_NOT_OWNER,   /* unlock by a thread that does not hold it */
	MISUSE_UNLOCK_UNLOCKED,    /* unlock of a mutex, spin lock or rwlock nobody holds */
	MISUSE_DESTROY_IN_USE,     /* destroy of something locked, waited on, or being passed */
	MISUSE_USE_DESTROYED,      /* any use after destroy and before init */
	MISUSE_WAIT_WITHOUT_MUTEX, /* condition wait with a mutex that the thread does not hold */
	MISUSE_WAIT_OTHER_MUTEX,   /* waiters of one condition use different mutexes */
	MISUSE_EXIT_HOLDING,       /* thread ended while it held a (non-robust) mutex or rwlock */
	MISUSE_JOIN_TWICE,         /* join of a thread that was joined or is being joined */
	MISUSE_JOIN_DETACHED,      /* join of a detached thread */
	MISUSE_UNINITIALISED,      /* a barrier or semaphore that was never initialised */
	MISUSE_COUNT
};
const char *misuse_text(unsigned misuse); /* "unlock of a mutex that another thread holds" */

struct world_config {
	struct thread_names *names; /* where spawn paths are interned; not part of the world */
	struct trace *trace;        /* the world keeps trace->pending[] and ->alts[] up to date */
	uint64_t patience;          /* ns: waits of that long or longer time out late (patience.h); 0: none does */
	bool late_exit;             /* an exit with status 0 comes where nothing else can happen (late_exit.h) */
	uint32_t spurious;          /* how many spurious wake-ups each thread may have in one execution */
	uint64_t start_time;        /* virtual CLOCK_REALTIME at the start, ns since the epoch */
	/* Is the descriptor operation (EV_FD_*, EV_PROCESS_WAIT, EV_SIGNAL_WAIT) ready now? May be NULL: always. */
	bool (*ready)(void *ctx, thread_id t, const struct op *op);
	/* Does the futex word hold the value that op (FUTEX_WAIT, or FUTEX_REQUEUE with op->type 1) expects? Asked
	   when the operation is performed. NULL: when op->arg[0] is not 0. */
	bool (*futex_matches)(void *ctx, const struct op *op);
	/* Where the program's bytes [addr, addr + size) lie, now. NULL: nobody knows, values have fingerprint 0, and the model is SC. */
	void *(*memory)(void *ctx, uint64_t addr, uint32_t size);
	uint32_t model; /* enum memory_model: with TSO and PSO stores go into buffers, see membuf.h */
	void *ready_ctx; /* first argument of all */
	struct await_table *await; /* what is known of spin loops; needs memory. NULL: nothing, and no thread waits in one */
	/* enum region_bits (strategy.h). *regions & REGION_EXPLORE: the program marks what is to be explored, and only that is (region.h). NULL: all is. May change
	   between two executions. */
	const uint32_t *regions;
};

/* Makes a world with the one thread T0, in memory of `a`; NULL when the arena is too small. */
struct world *world_init(struct arena *a, const struct world_config *config);

/* ---- objects ---- */

/* The object of this kind at `addr` (an address, or any number that is unique within its kind); a new
   one is made at first use. Panics (INVARIANT) when memory is used up, as every call that needs some. */
object_id world_object(struct world *w, enum object_kind kind, uint64_t addr);
/* Looks up without making. 0 when there is none. */
object_id world_find(const struct world *w, enum object_kind kind, uint64_t addr);
/* The memory was initialised anew without a call (static initialiser, reused memory): start afresh under a
   new id. */
object_id world_renew(struct world *w, enum object_kind kind, uint64_t addr);
unsigned world_object_count(const struct world *w); /* ids 1 .. count exist */
struct object_info {
	enum object_kind kind;
	uint32_t number;  /* how-manieth of its kind, from 1: "mutex#3" */
	uint64_t addr;
	uint64_t pc;      /* where it was first used */
	thread_id owner;  /* who holds it exclusively; NO_THREAD */
	bool held;        /* somebody holds it: locked, or locked for reading */
	bool destroyed;   /* destroyed, and not initialised since */
	bool done;        /* OBJ_ONCE: the initialisation is complete */
	bool idle;        /* OBJ_BARRIER: initialised, and no thread waits at it */
};
bool world_object_info(const struct world *w, object_id o, struct object_info *out);

/* ---- threads ---- */

/* Is the thread alive (created, not ended)? */
bool world_alive(const struct world *w, thread_id t);
unsigned world_live_threads(const struct world *w);
object_id world_thread_object(struct world *w, thread_id t);

/* The id of the thread that live thread t creates next; NO_THREAD when there are too many. */
thread_id world_next_child(const struct world *w, thread_id t);
uint64_t world_now(const struct world *w, thread_id t);      /* its virtual clock, ns since start */
uint64_t world_read_clock(struct world *w, thread_id t);     /* same, and lets time pass a little; more when
                                                                it is read very often without an event between */
void world_advance(struct world *w, thread_id t, uint64_t until); /* clock = max(clock, until) */
/* Marks that a signal handler is to run on t (ALT_SIGNAL becomes enabled) / is not any more. */
void world_set_signal_pending(struct world *w, thread_id t, bool pending);
/* May t act on cancellation requests now (enabled and deferred)? */
void world_set_cancelable(struct world *w, thread_id t, bool cancelable);
bool world_cancel_requested(const struct world *w, thread_id t);
/* The mutexes and rwlocks that t holds, at most n; returns how many there are. */
unsigned world_held(const struct world *w, thread_id t, object_id *out, unsigned n);
/* Whom does t wait for (owner of what its pending operation needs)? NO_THREAD when none or many. */
thread_id world_waits_for(const struct world *w, thread_id t);

/* ---- stepping ---- */

/* Announces what t does next. It has no pending operation at that time. */
void world_announce(struct world *w, thread_id t, const struct op *op);
/* The pending operation; NULL when there is none. */
const struct op *world_pending(const struct world *w, thread_id t);
/* Bit set of the enabled alternatives of t's pending operation; 0 = blocked, or none pending. */
unsigned world_alternatives(struct world *w, thread_id t);
/* All enabled choices, sorted; returns how many there are (at most max are written). Brings
   trace->alts up to date. */
unsigned world_choices(struct world *w, struct choice *out, unsigned max);
/* The choice that is left where world_choices found none, and no other thread is to be waited for: an exit that comes late (late_exit.h).
   0: there is none. */
unsigned world_exit(struct world *w, struct choice *out);
/* The choice that is left where there is no such exit either: the time-out of a wait that is late (patience.h). 0: none waits so. */
unsigned world_late(struct world *w, struct choice *out);
/* The execution has ended by EXIT: the thread that would have gone on, and was not let (late_exit.h). NO_THREAD: there is none. */
thread_id world_cut_short(const struct world *w);
/* The event that choice c would be now. `world` is a const struct world *. */
void world_preview(const void *world, struct choice c, struct event *out);
/* The object's name across executions, made of its kind and address (see struct sched_view). `world` is a const
   struct world *. */
uint64_t world_object_name(const void *world, object_id o);

/* Sets t's pending operation aside while a signal handler runs other operations on the same thread, and
   brings it back (calls nest). A waiter that is set aside stays in its queue; it can't go on until then. */
void world_suspend(struct world *w, thread_id t);
void world_resume(struct world *w, thread_id t);
/* Takes the pending operation back: it was interrupted and is not performed (EINTR). Legal for operations
   that have had no event yet. */
void world_withdraw(struct world *w, thread_id t);

enum step_outcome {
	STEP_DONE,    /* the operation is complete: the thread runs on with `result` */
	STEP_MORE,    /* it goes on as another pending operation (second half of a wait); or an UPDATE: nobody runs on */
	STEP_HANDLER, /* ALT_SIGNAL: run the handler on this thread; the operation is still pending */
	STEP_CANCEL,  /* ALT_CANCEL: the thread is to act on its cancellation request now */
	STEP_ENDED,   /* THREAD_EXIT: the thread is gone */
	STEP_OVER,    /* EXIT or DEATH: the execution is over */
};
struct step {
	enum step_outcome outcome;
	struct event event;
	int64_t result;       /* what the call returns (STEP_DONE): 0 or errno; kind-specific otherwise */
	uint64_t timed_out;   /* virtual ns after which a wait timed out that world_config.patience could have made late; 0: none did */
	thread_id created;    /* THREAD_CREATE: the new thread; it has no pending operation yet */
	enum misuse misuse;   /* reported as a bug by whoever drives the world */
	object_id misuse_obj;
};
/* Does t's pending memory operation come before the one that its choice stands for (await.h)? Then, when it is picked, the
   driver calls world_pass, performs the operation without an event, lets t run to its next announcement, and asks again;
   nobody else runs meanwhile. world_step is for the operation at the end. */
bool world_silent(const struct world *w, thread_id t);
void world_pass(struct world *w, thread_id t);
/* t has passed operations silently and then announced something that was not foreseen: the execution means nothing. What was
   believed of its loop is withdrawn. */
bool world_strayed(struct world *w, thread_id t);
/* No thread is enabled. How many of those that are alive wait in a spin loop, and can they really not go on? false: one could; what
   follows from here is explored by another execution, in which it did not go round before (docs/await.md). */
bool world_stuck(const struct world *w, unsigned *spinning);
/* The place in the code by which the loop is known in which the thread would go round for ever: the first one of a round, as a return address. 0: in none. */
uint64_t world_spins_at(const struct world *w, thread_id id);
/* Performs choice c, which is enabled. Appends nothing to the trace: the caller does. */
void world_step(struct world *w, struct choice c, struct step *out);

/* ---- regions (region.h) ---- */

/* t enters a region (REGION_*): is it the outermost of its kind? And leaves one: how many are still open, -1: none was. The events of
   the outermost ones are up to the driver. */
bool world_region_begin(struct world *w, thread_id t, unsigned kind);
int world_region_end(struct world *w, thread_id t, unsigned kind);
/* What the last world_choices returned: see struct sched_view. */
bool world_atomic(const struct world *w);
bool world_interrupted(const struct world *w);
bool world_closed(const struct world *w);

/* ---- store buffers (TSO, PSO) ----
 *
 * Memory holds what everybody sees. While a thread of the program runs, what it has in its buffer lies over it, so that its own
 * code sees its stores whatever reads them; the driver puts it there and takes it off again before anything else happens:
 *
 *	world_show_buffer(w, t);
 *	... the thread runs, from one scheduling point to the next ...
 *	world_hide_buffer(w, t);
 *
 * A STORE event only says where the thread is going to store. Which bytes these are is found by world_hide_buffer. All three do
 * nothing under SC.
 */
/*
 * The thread's stack between lo and hi is not the program's any more: the functions are over whose frames were there, and other code runs
 * there even while the buffer is hidden. Before world_hide_buffer. What the buffer has for these bytes is dropped: its stores reach memory as
 * ever, but change nothing there. (A program that looks at the frame of a function that is over has no right to find anything.)
 */
void world_pop_stack(struct world *w, thread_id t, uint64_t lo, uint64_t hi);

void world_show_buffer(struct world *w, thread_id t);
void world_hide_buffer(struct world *w, thread_id t);
/* Has t stored into its buffer since it was last known to be empty? If so a fence is an event (EV_FENCE), otherwise it would
   change nothing. A function of t's own events: the same in every schedule. */
bool world_fence_needed(const struct world *w, thread_id t);
/* A release (store-store) fence of t: what it stores from now on reaches memory after what it has stored. No event. */
void world_release_fence(struct world *w, thread_id t);

/* Debug: panics (INVARIANT) when the world's structures contradict each other. */
void world_valid(const struct world *w);

#endif
