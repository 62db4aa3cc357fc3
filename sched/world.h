/*
 * The world: a model of everything that the program's threads synchronise with.
 *
 * It is a pure state machine. The native target (preload/) and the toy interpreter of the tests drive the same code: they name objects,
 * announce operations, ask what is enabled, and step. There is one file for each kind of object (model_*.c). It holds the object's state,
 * when its operations are enabled and what they return, as POSIX and glibc 2.36 define it.
 *
 * All memory comes from the arena given to world_init. A fork or a rewind restores that memory; the world has no state anywhere else. It
 * uses no system call, clock, stdio or malloc.
 *
 * Virtual time: each thread has its own clock (nanoseconds). The clock advances when the thread sleeps, times out or reads it, and joins
 * other threads' clocks exactly along dependences (an ACQ takes over the time of the REL before it, and so on). So the time that a thread
 * reads is a function of the trace, not of the schedule.
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
struct hb;

/* Values of op.type for mutex operations; the numbers are glibc's PTHREAD_MUTEX_*. */
enum mutex_type {
	MUTEX_NORMAL = 0, /* relocking by the owner is a deadlock */
	MUTEX_RECURSIVE = 1,
	MUTEX_ERRORCHECK = 2,
	MUTEX_ADAPTIVE = 3,
	MUTEX_ROBUST = 16, /* flag */
};

/* Values of op.type for operations on reader-writer locks; the numbers are glibc's PTHREAD_RWLOCK_*. */
enum rwlock_type {
	RWLOCK_PREFERS_READERS = 0, /* and 1, which glibc treats in the same way except for the order of writers */
	RWLOCK_PREFERS_WRITERS = 2, /* PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: a waiting writer blocks readers */
};

/* A misuse detected in a step. The program may also see an error return. */
enum misuse {
	MISUSE_NONE = 0,
	MISUSE_UNLOCK_NOT_OWNER,   /* unlock by a thread that does not hold it */
	MISUSE_UNLOCK_UNLOCKED,    /* unlock of a mutex, spin lock or rwlock that no thread holds */
	MISUSE_DESTROY_IN_USE,     /* destroy of an object that is locked, waited on, or being passed */
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
	struct settings settings;   /* threads, max_steps, seed, patch and known_locks are not used here */
	/* Returns whether the descriptor operation (EV_FD_*, EV_PROCESS_WAIT, EV_SIGNAL_WAIT) is ready now. May be NULL: always. */
	bool (*ready)(void *ctx, thread_id t, const struct op *op);
	/* Returns whether the interruptible operation, one of these, would wait now: also one with a deadline. May be NULL: never. */
	bool (*waits)(void *ctx, thread_id t, const struct op *op);
	/* Returns whether the futex word holds the value that op (FUTEX_WAIT, FUTEX_CMP_REQUEUE) expects. Called when
	   the operation is performed. If NULL, it does when op->arg[0] is not 0. */
	bool (*futex_matches)(void *ctx, const struct op *op);
	/* Returns where the program's bytes [addr, addr + size) are now. NULL: unknown; then values have fingerprint 0, and the model is
	   SC. */
	void *(*memory)(void *ctx, uint64_t addr, uint32_t size);
	/* Returns the key of the program's byte at addr: bytes at several addresses that are one memory have one key. Bytes of a page have neighbouring
	   keys. NULL: every byte is its own key. */
	uint64_t (*key)(void *ctx, uint64_t addr);
	/* Happens-before, to which the driver gives each event after world_step (hb_event) and each fence. Needed by
	   the model RC11; else NULL. */
	const struct hb *order;
	const uint32_t *samples; /* RC11: not 0: executions are samples, in which loops that wait go on. NULL: none is */
	uint32_t graph_events; /* RC11: most events of its graph (live.h); 0: LIVE_EVENTS */
	void *ready_ctx; /* first argument of these functions */
	struct await_table *await; /* what is known about spin loops; needs `memory`. NULL: nothing, and no thread waits in a spin loop */
	/* enum region_bits (strategy.h). *regions & REGION_EXPLORE: the program marks what is to be explored, and only that is
	   (region.h). NULL: everything is. May change between two executions. */
	const uint32_t *regions;
	/* Not 0: rounds of waiting loops are left out (rounds.h). May change between two executions; then an execution that begins with
	   the same choices may continue in a copy of the world. NULL: they never are. */
	const uint32_t *rounds;
	struct rounds_limits *limits; /* which waiting loops have a limit. NULL: none */
	/* Which threads never end (endless.h). NULL: none; else `limits` is not NULL. *stops, which may change as *rounds: not 0: they stop at their
	   limits wherever they are; 0, or NULL: only when the process would exit. */
	struct endless_limits *endless;
	const uint32_t *stops;
	/* Sections of mutexes are steps (section.h); this table says which. Needs the model SC. NULL: they are not. */
	struct section_table *sections;
};

/* Makes a world with the single thread T0, in memory of `a`. Returns NULL when the arena is too small. */
struct world *world_init(struct arena *a, const struct world_config *config);

/* An execution begins, in a world that a fork or a rewind has put back to the state before there was a second thread: empties the trace. If
   threads waited at the end of the execution before, their pending operations are still there, and name objects that do not exist yet. */
void world_begin_trace(struct world *w);

/* ---- objects ---- */

/* Returns the object of this kind at `addr` (an address, or any number that is unique within its kind), and makes it at its first use.
   Like every call that needs memory, it panics (INVARIANT) when memory is used up. */
object_id world_object(struct world *w, enum object_kind kind, uint64_t addr);
/* Returns the object without making it; 0 when there is none. */
object_id world_find(const struct world *w, enum object_kind kind, uint64_t addr);
/* Replaces the object by a fresh one with a new id: the memory was initialised again without a call (static initialiser, reused memory). */
object_id world_renew(struct world *w, enum object_kind kind, uint64_t addr);
unsigned world_object_count(const struct world *w); /* ids 1 .. count exist */
struct object_info {
	enum object_kind kind;
	uint32_t number;  /* number among the objects of its kind, from 1: "mutex#3" */
	uint64_t addr;
	uint64_t pc;      /* where it was first used */
	thread_id owner;  /* the thread that holds it exclusively; NO_THREAD */
	bool held;        /* some thread holds it: locked, or locked for reading */
	bool destroyed;   /* destroyed, and not initialised since */
	bool done;        /* OBJ_ONCE: the initialisation is complete */
	bool idle;        /* OBJ_BARRIER: initialised, and no thread waits at it */
};
bool world_object_info(const struct world *w, object_id o, struct object_info *out);
/* Returns the address of the object; 0: there is no such object, or it has none. */
uint64_t world_object_address(const struct world *w, object_id o);

/* ---- threads ---- */

/* Returns whether the thread is alive (created, not ended). */
bool world_alive(const struct world *w, thread_id t);
unsigned world_live_threads(const struct world *w);
object_id world_thread_object(struct world *w, thread_id t);

/* The id of the thread that the live thread t creates next; NO_THREAD when there are too many threads. */
thread_id world_next_child(const struct world *w, thread_id t);
uint64_t world_steps(const struct world *w);                 /* events so far, and 1 */
uint64_t world_now(const struct world *w, thread_id t);      /* its virtual clock, ns since start */
uint64_t world_read_clock(struct world *w, thread_id t);     /* the same, and lets a little time pass; more when it is read very often
							        without an event in between */
void world_advance(struct world *w, thread_id t, uint64_t until); /* clock = max(clock, until) */
/* Sets whether a signal handler is to run on t; while it is, ALT_SIGNAL is enabled, and ALT_BEFORE where its operation would wait. */
void world_set_signal_pending(struct world *w, thread_id t, bool pending);
/* Sets whether t may act on cancellation requests now (enabled and deferred). */
void world_set_cancelable(struct world *w, thread_id t, bool cancelable);
bool world_cancel_requested(const struct world *w, thread_id t);
/* The thread that t waits for (the owner of what its pending operation needs); NO_THREAD when there is none or more than one. */
thread_id world_waits_for(const struct world *w, thread_id t);

/* ---- stepping ---- */

/* Announces the next operation of t, which must have no pending operation. */
void world_announce(struct world *w, thread_id t, const struct op *op);
/* The pending operation; NULL when there is none. */
const struct op *world_pending(const struct world *w, thread_id t);
/* Bit set of the enabled alternatives of t's pending operation; 0 = blocked, or no operation is pending. */
unsigned world_alternatives(struct world *w, thread_id t);
/* Finds all enabled choices, sorted. Returns how many there are; writes at most max. Updates trace->alts. */
unsigned world_choices(struct world *w, struct choice *out, unsigned max);
/* The choice that remains where world_choices found none and world_stuck returns true: a late exit (late_exit.h). Returns 0 when there is
   none. */
unsigned world_exit(struct world *w, struct choice *out);
/* The choice that remains where there is no such exit either: the timeout of a wait that times out late (patience.h). Returns 0 when
   there is none. */
unsigned world_late(struct world *w, struct choice *out);
/* The deadline of that wait; OP_NO_DEADLINE when there is none. *left: the virtual ns from its beginning to it. */
uint64_t world_late_deadline(const struct world *w, uint64_t *left);
/* Returns whether the only choice is now a timeout although other threads could continue (world_config.discrete_time, patience.h). */
bool world_time_forced(const struct world *w);
/* After the execution ended by EXIT: the thread that could have continued but was not allowed to (late_exit.h). NO_THREAD: there is
   none. */
thread_id world_cut_short(const struct world *w);
/* Call these where no thread is enabled. world_rounds_covered returns whether a thread at the end of a round (rounds.h) could now find
   something new (what follows is explored by another execution, in which it looked later), or some thread has exceeded a limit (what follows
   is left out). world_rounds_go_on: from here on rounds are not left out in this execution; returns false when none was. */
bool world_rounds_covered(const struct world *w);
bool world_rounds_go_on(struct world *w);
/* If the exit is forced (late_exit.h), or one thread has made very many events in a row, and it is not known whether that thread ever ends, begins a probe
   (endless.h): the exit is not forced until the probe is over. room: events that this execution may still have. Returns whether the table of limits has changed or will change. */
bool world_endless_probe(struct world *w, uint32_t room);
/* Returns whether t has gone as far as its limits allow if it now makes no event for long. */
bool world_endless_computes(const struct world *w, thread_id t);
/* Call it when an execution is over, perhaps in the middle of a probe. */
void world_endless_end(struct world *w);
/* Computes the event that choice c would be now. `world` is a const struct world *. */
void world_preview(const void *world, struct choice c, struct event *out);
/* The object's name across executions, derived from its kind and address (see struct sched_view). `world` is a const struct world *. */
uint64_t world_object_name(const void *world, object_id o);

/* world_suspend sets t's pending operation aside while a signal handler runs other operations on the same thread; world_resume brings it
   back. The calls nest. A waiter that is set aside stays in its queue, but cannot continue before world_resume. */
void world_suspend(struct world *w, thread_id t);
void world_resume(struct world *w, thread_id t);
/* Withdraws the pending operation, which was interrupted and is not performed (EINTR). Legal only for operations that have had no event
   yet. */
void world_withdraw(struct world *w, thread_id t);
/* A futex is found by the address of its word. Calls without FUTEX_PRIVATE_FLAG have a futex of their own, with FUTEX_SHARED added to the address: in
   the kernel, too, they never meet those with the flag. */
#define FUTEX_SHARED 1u
static inline uint64_t futex_word(uint64_t addr)
{
	return addr & ~(uint64_t)FUTEX_SHARED;
}

/* Returns whether t waits in a queue (of a condition variable or a futex), so that its operation cannot be withdrawn. */
bool world_queued(const struct world *w, thread_id t);

/* Why the execution graph of RC11 leaves out older stores for an atomic access (live.h). */
enum graph_gap {
	GAP_NONE,
	GAP_SIZES,  /* accesses of other sizes overlap it */
	GAP_LONG,   /* the execution is too long for the graph */
	GAP_ORDERS, /* its code has no memory orders */
};

enum step_outcome {
	STEP_DONE,    /* the operation is complete: the thread continues with `result` */
	STEP_MORE,    /* it continues as another pending operation (second half of a wait); or an UPDATE, after which no thread runs */
	STEP_HANDLER, /* ALT_SIGNAL, ALT_BEFORE: run the handler on this thread; the operation is still pending. `result` is EINTR if the handler
			 interrupts it. A futex wait is over: `result` is 0 or EINTR */
	STEP_CANCEL,  /* ALT_CANCEL: the thread must act on its cancellation request now */
	STEP_ENDED,   /* THREAD_EXIT: the thread is gone */
	STEP_OVER,    /* EXIT or DEATH: the execution is over */
};
struct step {
	enum step_outcome outcome;
	struct event event;
	int64_t result;       /* what the call returns (STEP_DONE): 0 or errno; kind-specific otherwise */
	uint64_t timed_out;   /* virtual ns after which a wait timed out that world_config.patience could have made late; 0: no wait
			         timed out */
	thread_id created;    /* THREAD_CREATE: the new thread; it has no pending operation yet */
	enum graph_gap gap;   /* RC11: why an atomic access was offered the latest store only */
	enum misuse misuse;   /* the driver of the world reports it as a bug */
	object_id misuse_obj;
};
/* Returns whether t's pending memory operation comes before the one that its choice stands for (await.h). If so, and t is picked, the
   driver calls world_pass, performs the operation without an event, lets t run to its next announcement, and asks again. No other thread
   runs in between. world_step performs the operation at the end. */
bool world_silent(const struct world *w, thread_id t);
void world_pass(struct world *w, thread_id t);
/* Returns whether t, having passed operations without events, announced something unforeseen. Then the execution is invalid, and what
   was assumed about its loop is withdrawn. */
bool world_diverged(struct world *w, thread_id t);
/* Call it when no thread is enabled. Counts in *spinning the live threads that wait in a spin loop, and returns whether they really
   cannot continue. false: one could; what follows from here is explored by another execution, in which the thread did not iterate before
   (docs/await.md). */
bool world_stuck(const struct world *w, unsigned *spinning);
/* Call it where world_stuck returns false, in an execution that no other one covers. Lets each thread that could
   continue iterate once more. Returns whether there is one. */
bool world_spins_again(struct world *w);
/* The place in the code that identifies the loop in which the thread would iterate for ever: the first one of an iteration, as a return
   address. 0: it is in no such loop. */
uint64_t world_spins_at(const struct world *w, thread_id id);
/* Performs choice c, which must be enabled. The caller appends the event to the trace. */
void world_step(struct world *w, struct choice c, struct step *out);

/* Under RC11, after the strategy has picked thread t: finds the stores that its pending access may read, or may be
   placed after, as choices with the alternatives ALT_NORMAL (the latest; always the first), ALT_OLDER and on. Returns
   how many; 1 for any other operation; 0 under other models. Writes at most max. */
unsigned world_stores(struct world *w, thread_id t, struct choice *out, unsigned max);

/* Under RC11, before world_stores: thread t, which was picked, makes its pending atomic access or fence with this order
   (enum rc11_order) besides its own. A compare-and-swap that fails gets the part of it that a load can have. Has no
   effect on other operations. */
void world_strengthen(struct world *w, thread_id t, unsigned order);
/* Under RC11: the order (enum rc11_order) of the fence that was performed last. */
unsigned world_fenced(const struct world *w);

/* Under RC11: see struct sched_view. `world` is a const struct world *. */
struct access_order;
void world_access_order(const void *world, thread_id t, struct access_order *out);
/* See sched_view.seen. */
uint32_t world_seen(const void *world, thread_id t, thread_id of);

/* Says what the access computes that t announces next: see struct access_order. */
void world_computes(struct world *w, thread_id t, unsigned update, uint64_t operand, uint64_t expected);

/* While shut, each state has only the choice that it would have outside of the regions to explore (region.h). */
void world_shut(struct world *w, bool shut);

/* ---- regions (region.h) ---- */

/* world_region_begin: t enters a region (REGION_*). Returns whether it is the outermost region of its kind. world_region_end: t leaves a
   region. Returns how many are still open, -1: none was open. The driver makes the events of the outermost regions. */
bool world_region_begin(struct world *w, thread_id t, unsigned kind);
int world_region_end(struct world *w, thread_id t, unsigned kind);
/* State at the latest world_choices: see struct sched_view. */
bool world_atomic(const struct world *w);
bool world_interrupted(const struct world *w);
bool world_closed(const struct world *w);

/* ---- store buffers (TSO, PSO) ----

   Memory holds what all threads see. While a thread of the program runs, the contents of its buffer are laid over memory, so that its
   own code sees its stores, whatever instruction reads them. The driver puts them there, and removes them before anything else happens:

   	world_show_buffer(w, t);
   	... the thread runs, from one scheduling point to the next ...
   	world_hide_buffer(w, t);

   A STORE event only says where the thread is about to store. world_hide_buffer finds the stored bytes. All three functions do nothing
   under SC. Under RC11 they do the same with the store that the thread's access reads (live.h). */
/*
 * Drops what t's buffer holds for the bytes of its stack between lo and hi. Call it before world_hide_buffer when the functions whose
 * frames were there have returned, since other code runs there even while the buffer is hidden. The dropped stores reach memory as usual,
 * but change nothing there. (A program must not read the frame of a function that has returned.)
 */
void world_pop_stack(struct world *w, thread_id t, uint64_t lo, uint64_t hi);

void world_show_buffer(struct world *w, thread_id t);
void world_hide_buffer(struct world *w, thread_id t);
/* Returns whether t has stored into its buffer since it was last known to be empty. If so, a fence is an event (EV_FENCE); otherwise it
   would change nothing. The result depends only on t's own events, so it is the same in every schedule. */
bool world_fence_needed(const struct world *w, thread_id t);
/* A release (store-store) fence of t: later stores of t reach memory after its earlier ones. It is no event. */
void world_release_fence(struct world *w, thread_id t);

#endif
