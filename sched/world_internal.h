/* Shared by the files of the world. No other file includes it. */
#ifndef SIMUL_WORLD_INTERNAL_H
#define SIMUL_WORLD_INTERNAL_H

#include "sched/await.h"
#include "sched/endless.h"
#include "sched/strategy.h"
#include "sched/world.h"

/* ---- waiting (conditions and futexes) ---- */

struct waiter {
	struct waiter *next; /* in order of enqueueing */
	thread_id thread;
	uint32_t bits;       /* futex bitset; conditions: all ones */
	object_id mutex;     /* conditions: the mutex to be taken again at the end */
	uint64_t no;         /* enqueue number on its object, ascending */
	object_id queue;     /* the condition or futex it waits on (a requeue changes it) */
	int32_t outcome;     /* what the call returns once it has the mutex again */
};

/* A wake-up that was sent and not yet taken. */
struct token {
	struct token *next; /* oldest first */
	uint64_t limit;     /* valid for waiters with no <= limit */
	thread_id only;     /* for this thread alone, or NO_THREAD */
};

struct queue {
	struct waiter *first;
	struct token *tokens;
	uint64_t enqueued;
	uint32_t waiters, n_tokens;
	object_id mutex; /* conditions: mutex of the latest waiter */
};

/* ---- objects ---- */

struct mutex_state {
	thread_id owner; /* NO_THREAD: free */
	uint32_t type;   /* as of its last operation */
	uint32_t depth;
	bool owner_died;      /* robust: the owner ended; the next owner gets EOWNERDEAD */
	bool inconsistent;    /* taken with EOWNERDEAD, not made consistent yet */
	bool not_recoverable;
};

struct share {
	struct share *next;
	thread_id thread;
	uint32_t n;
};

struct rwlock_state {
	thread_id writer;
	thread_id claim;  /* the writer that waits for the readers, and gets the lock next (only if it prefers writers); or NO_THREAD */
	uint32_t readers; /* shares in all */
	struct share *shares;
};

struct sem_state {
	bool known;         /* its value is known: initialised, or read from memory */
	uint64_t sent, received;
	uint64_t *stamp;    /* virtual time of token n at [n % stamp_cap] */
	uint32_t stamp_cap; /* a power of two, or 0 */
};

struct barrier_state {
	uint32_t count, arrived, round; /* count 0: never initialised */
};

enum once_phase { ONCE_NEW, ONCE_RUNNING, ONCE_FINISHED };
struct once_state {
	enum once_phase phase;
	thread_id runner;
};

struct thread_state {
	thread_id id;
};

struct object {
	uint8_t kind;
	bool destroyed;
	uint32_t number;
	object_id id;
	uint32_t modes;           /* access modes that have occurred */
	uint64_t addr, pc;
	uint64_t name;            /* name of an object that was initialised by a call; 0: its address identifies it */
	uint64_t changed;         /* w->steps of the last event that touched it */
	uint64_t stamp[M_COUNT];  /* latest virtual time of an event with that mode */
	union {
		struct mutex_state mutex; /* OBJ_MUTEX, OBJ_SPIN */
		struct rwlock_state rwlock;
		struct sem_state sem;
		struct barrier_state barrier;
		struct once_state once;
		struct queue queue; /* OBJ_COND, OBJ_FUTEX */
		struct thread_state thread;
	};
};

/* ---- one step ---- */

/* The effect that an alternative of a pending operation would have now. */
struct decision {
	bool enabled;
	uint8_t kind;     /* of the event */
	uint8_t mode[2];
	uint8_t flags;    /* EVF_FAILED, EVF_RELEASES2 */
	uint8_t outcome;  /* enum step_outcome */
	uint8_t misuse;
	object_id obj[2];
	uint32_t seq;
	int32_t result;
};

/* ---- threads ---- */

struct wthread {
	thread_id id;
	bool alive, detached, joined;
	bool has_op, waited;
	bool cancelable, cancel_requested, signal_pending;
	bool may_pass;         /* its barrier round is complete */
	bool late;             /* its pending operation is a wait that times out late (patience.h), or a late exit (late_exit.h) */
	bool atomic;           /* between ATOMIC_BEGIN and ATOMIC_END */
	/* see endless.h */
	uint8_t gives;         /* number of EV_GIVE_WAY since latest_pc, at most ENDLESS_GIVES */
	uint8_t limit;         /* the entry with its pending operation, from 1; 0: none */
	bool begun;            /* an event of its pending operation was performed */
	/* see section.h */
	object_id section;     /* the mutex of the step that it is in; 0: none */
	object_id latest_lock; /* the mutex that it locked last; 0: none */
	uint32_t unguarded;    /* accesses in this step that are not guarded */
	uint64_t section_pc;   /* where it locked that mutex */
	uint32_t nested[2];    /* open regions to explore, and atomic ones */
	uint32_t spurious_left; /* spurious wake-ups it may still have */
	uint32_t children;
	uint32_t inits;        /* number of objects it has initialised by a call */
	uint32_t held;         /* mutexes, spin locks and shares it holds */
	object_id object;
	struct op op;          /* pending operation (its current half) */
	struct waiter *waiter; /* between COND_WAIT/FUTEX_WAIT and the end of the wait */
	uint64_t noted;        /* w->steps when the pending operation was last decided and published in the trace; 0: never */
	struct decision decided; /* the decision, for ALT_NORMAL */
	uint64_t clock;
	uint64_t began;        /* its clock when it announced the operation */
	uint64_t late_since;   /* w->steps when it announced a late wait (patience.h) */
	uint32_t clock_reads;  /* since its last event */
	uint64_t pass_stamp;   /* virtual time at which its barrier round was complete */
	struct suspended *suspended;
	struct waiting *await; /* NULL: it was never in a spin loop */
	struct membuf *buffer; /* NULL: it has never stored into one */
	struct rounds *rounds; /* NULL: it has never announced a state (rounds.h) */
	/* see endless.h */
	uint64_t latest_pc;    /* place of its latest operation but EV_GIVE_WAY */
	uint8_t turns[ENDLESS_LIMITS]; /* how often it passed the place of each entry, at most ROUNDS_TRIED + 1 */
};

/* A thread in a spin loop; see await.h. */
struct waiting {
	uint32_t node;     /* node of its pending operation; 0: unknown */
	uint32_t first;    /* node from which its way is elided; 0: it is not */
	uint32_t foreseen; /* node at which it must announce next; 0: any */
	uint32_t passed_node, passed_found; /* the edge that requires this */
	bool diverged;
	struct await_visit visit;
	struct await_reach reach;
};

/* An operation set aside by a signal handler. */
struct suspended {
	struct suspended *next;
	bool has_op;
	struct op op;
	struct waiter *waiter;
	bool may_pass, late;
	uint64_t pass_stamp, began, late_since;
};

struct world {
	struct arena *arena;
	struct world_config config;
	struct wthread **thread; /* [id], NULL where there was none; a small world touches few pages */
	thread_id *live;         /* sorted ids of the live threads */
	uint32_t thread_cap;     /* room in both */
	uint32_t n_live;
	uint64_t steps;          /* so far */
	struct object **object; /* [1 .. objects] */
	uint32_t buffered;      /* number of stores in all store buffers */
	struct live *graph;     /* the execution graph (live.h); NULL: the model is not RC11 */
	uint32_t objects, object_cap;
	object_id *hash;        /* by (kind, addr); 0 = empty */
	uint32_t hash_cap;      /* a power of two */
	uint32_t number[OBJ_COUNT];
	/* regions that the program marks, see region.h */
	thread_id owner;        /* the thread that the latest event left in an atomic region; NO_THREAD: none */
	thread_id turn;         /* the thread of the latest event that is not an agent's */
	bool turn_over;         /* that thread should give way now */
	bool shut;                            /* see world_shut */
	bool in_atomic, interrupted, closed; /* state of the latest choices, see struct sched_view */
	uint32_t exploring;     /* number of open regions to explore */
	uint32_t streak;        /* events in a row of `turn`, outside of regions */
	/* see late_exit.h */
	bool exit_waits;        /* a late exit is pending */
	bool rounds_tried;      /* see world_rounds_go_on */
	bool rounds_wrote;      /* some thread has written in what may be a round */
	thread_id latest;       /* thread of the latest event; */
	uint32_t in_a_row;      /* it has made so many; both only with world_config.endless */
	thread_id exit_behind;  /* the thread of the latest event since the exit was announced */
	uint32_t exit_age;      /* number of events since the exit was announced, or since a thread ended */
};

/* ---- one step ---- */

/* `decide` computes *d and changes nothing else. *d initially holds kind, objects and modes of the operation (those of success, as in
   event_kinds.def), enabled = true and STEP_DONE; `decide` changes what differs now. `apply` then does what `decide` said. */
struct model {
	void (*decide)(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d);
	void (*apply)(struct world *w, struct wthread *t, unsigned alt, const struct decision *d);
};

extern const struct model model_no_fence, model_mutex, model_cond, model_futex, model_rwlock, model_sem, model_barrier,
	model_once, model_thread, model_io, model_local, model_memory, model_end, model_choose, model_region;

/* Sets the kind of the event, and the modes of the objects that it has. */
static inline void decide_kind(struct decision *d, enum event_kind kind)
{
	d->kind = (uint8_t)kind;
	d->mode[0] = event_traits[kind].mode[0];
	d->mode[1] = d->obj[1] ? event_traits[kind].mode[1] : M_NONE;
}

void *world_alloc(struct world *w, uint64_t size);
void world_free(struct world *w, void *p, uint64_t size);
static inline struct object *world_obj(const struct world *w, object_id o)
{
	return w->object[o];
}

/* Updates trace->pending with t's pending operation. */
void world_note_pending(struct world *w, struct wthread *t);
/* t is about to create a thread: makes the object of the new one, so that the event is known before it happens. */
void world_name_child(struct world *w, struct wthread *t);

/* waiting.c: LOAD and RMW in spin loops. */
void await_announced(struct world *w, struct wthread *t);
void await_performed(struct world *w, struct wthread *t, const struct event *e);
void await_watch_all(struct world *w);
/* Returns whether its pending operation takes a lock of the program's own (AWAIT_LOCK). */
bool waits_for_lock(const struct world *w, const struct wthread *t);
void await_passed(struct world *w, struct wthread *t); /* its pending operation is elided */
/* Sets *d to what t, which stands at a node, would do at its exit. Returns the node of that exit, or t's node when it would stay. */
const struct await_node *await_decide(const struct world *w, const struct wthread *t, struct decision *d);

/* model_cond.c: the alternatives that only waits have (timeout, spurious). */
unsigned wait_alternatives(const struct world *w, const struct wthread *t);
/* For a thread that waits for a futex: returns whether a wake-up was sent that no other thread may take. Then a signal is too late to end the wait. */
bool futex_is_woken(const struct world *w, const struct wthread *t);

/* model_choose.c: the alternatives of a CHOOSE. */
unsigned choose_alternatives(const struct wthread *t);

/* model_mutex.c, for conditions */
bool mutex_takable(const struct world *w, object_id m, thread_id t);
void mutex_take(struct world *w, object_id m, struct wthread *t);
/* Result of t taking m at the end of a wait: 0, EOWNERDEAD, or ENOTRECOVERABLE (then m is not taken). */
int mutex_retake_result(const struct world *w, object_id m, thread_id t);
/* Returns whether unlocking a mutex of this type without holding it returns EPERM (otherwise it is undefined). */
bool mutex_checks_owner(uint32_t type);
/* Removes the holders of the mutex or rwlock: it is initialised again. */
void mutex_forget_owner(struct world *w, struct object *x);
void rwlock_forget_holders(struct world *w, struct object *x);
bool mutex_give(struct world *w, object_id m, struct wthread *t); /* true: it is free now */

/* model_rwlock.c. Returns whether the operation has claimed the lock. arg[0] of an operation on a lock says so. */
static inline bool rwlock_claimed(const struct op *op)
{
	return op->kind == EV_RW_WRLOCK && op->arg[0];
}

/* model_cond.c: returns whether a signal has arrived for this waiter. */
bool waiter_has_token(const struct world *w, const struct waiter *x);
/* object_name.c: names the object that t is about to initialise. */
void object_named_by_init(struct world *w, struct wthread *t);

/* model_cond.c: handles a cancellation request in the middle of a wait. */
void cond_cancel(struct world *w, struct wthread *t);

/* clock.c: virtual time along the dependences of one access. */
void clock_access(struct world *w, struct wthread *t, object_id o, unsigned mode, uint32_t seq);

#endif
