/* What the files of the world share; nobody else includes it. */
#ifndef SIMUL_WORLD_INTERNAL_H
#define SIMUL_WORLD_INTERNAL_H

#include "sched/await.h"
#include "sched/strategy.h"
#include "sched/world.h"

/* ---- waiting (conditions and futexes) ---- */

struct waiter {
	struct waiter *next; /* in order of enqueueing */
	thread_id thread;
	uint32_t bits;       /* futex bitset; conditions: all ones */
	object_id mutex;     /* conditions: taken again at the end */
	uint64_t no;         /* enqueue number on its object, growing */
	object_id queue;     /* the condition or futex it waits on (a requeue changes it) */
	int32_t outcome;     /* what the call returns once the mutex is taken again */
};

/* A wake-up that was given and not yet taken. */
struct token {
	struct token *next; /* oldest first */
	uint64_t limit;     /* for waiters with no <= limit */
	thread_id only;     /* for this thread alone, or NO_THREAD */
};

struct queue {
	struct waiter *first;
	struct token *tokens;
	uint64_t enqueued;
	uint32_t waiters, n_tokens;
	object_id mutex; /* conditions: of the latest waiter */
};

/* ---- objects ---- */

struct mutex_state {
	thread_id owner; /* NO_THREAD: free */
	uint32_t type;   /* as of its last operation */
	uint32_t depth;
	bool owner_died;      /* robust: the owner ended; the next one gets EOWNERDEAD */
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
	uint64_t addr, pc;
	uint64_t name;            /* of one that was initialised by a call; 0: known by its address */
	uint64_t changed;         /* w->steps of the last event that touched it */
	uint32_t modes;           /* access modes that have occurred */
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

/* What an alternative of a pending operation would do now. */
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
	bool late;             /* its pending operation times out late (patience.h), or is an exit that comes late (late_exit.h) */
	bool atomic;           /* between ATOMIC_BEGIN and ATOMIC_END */
	uint32_t nested[2];    /* open regions to explore, and atomic ones */
	uint32_t spurious_left; /* spurious wake-ups it may still have */
	uint32_t children;
	uint32_t inits;        /* objects it has initialised by a call */
	uint32_t held;         /* mutexes, spin locks and shares it holds */
	object_id object;
	struct op op;          /* pending operation (its current half) */
	struct waiter *waiter; /* between COND_WAIT/FUTEX_WAIT and the end of the wait */
	uint64_t noted;        /* w->steps when the pending operation was last decided and shown; 0: never */
	struct decision decided; /* what came out, for ALT_NORMAL */
	uint64_t clock;
	uint64_t began;        /* its clock when it announced the operation */
	uint32_t clock_reads;  /* since its last event */
	uint64_t pass_stamp;   /* virtual time at which its barrier round was complete */
	struct suspended *suspended;
	struct waiting *await; /* NULL: it was never in a spin loop */
	struct membuf *buffer; /* NULL: it has never stored into one */
};

/* A thread in a spin loop; see await.h. */
struct waiting {
	uint32_t node;     /* of its pending operation; 0: none is known */
	uint32_t first;    /* node from which it passes silently; 0: it does not */
	uint32_t foreseen; /* node at which it must announce next; 0: any */
	uint32_t passed_node, passed_found; /* the edge that says so */
	bool strayed;
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
	uint64_t pass_stamp, began;
};

struct world {
	struct arena *arena;
	struct world_config config;
	struct wthread **thread; /* [id], NULL where there was none; a small world touches few pages */
	thread_id *live;         /* sorted */
	uint32_t thread_cap;     /* room in both */
	uint32_t n_live;
	uint64_t steps;          /* so far */
	struct object **object; /* [1 .. objects] */
	uint32_t buffered;      /* stores in all store buffers */
	uint32_t objects, object_cap;
	object_id *hash;        /* by (kind, addr); 0 = empty */
	uint32_t hash_cap;      /* a power of two */
	uint32_t number[OBJ_COUNT];
	/* regions that the program marks, see region.h */
	thread_id owner;        /* the last event left this thread in an atomic region; NO_THREAD: none */
	thread_id turn;         /* the thread of the last event that was no agent's */
	bool turn_over;         /* it should give way now */
	bool in_atomic, interrupted, closed; /* what the last choices were, see struct sched_view */
	uint32_t exploring;     /* regions to explore that are open */
	uint32_t streak;        /* events in a row of `turn`, outside of them */
	/* see late_exit.h */
	bool exit_waits;        /* an exit that comes late was announced */
	thread_id exit_behind;  /* the thread that performed an event last since then */
	uint32_t exit_age;      /* so many events were performed since then, or since a thread ended */
};

/* ---- one step ---- */

/* `decide` fills *d without changing anything. It finds there kind, objects and modes of the operation (those of success, as in
   event_kinds.def), enabled = true and STEP_DONE, and changes what is different now. `apply` then does what `decide` said. */
struct model {
	void (*decide)(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d);
	void (*apply)(struct world *w, struct wthread *t, unsigned alt, const struct decision *d);
};

extern const struct model model_mutex, model_cond, model_futex, model_rwlock, model_sem, model_barrier,
	model_once, model_thread, model_io, model_local, model_memory, model_end, model_choose, model_region;

/* The event is of this kind: with its modes, those of objects that it has. */
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

/* Brings trace->pending up to date with t's pending operation. */
void world_note_pending(struct world *w, struct wthread *t);

/* waiting.c: LOAD and RMW in spin loops. */
void await_announced(struct world *w, struct wthread *t);
void await_performed(struct world *w, struct wthread *t, const struct event *e);
void await_watch_all(struct world *w);
/* Fills in what t, which stands at a node, would do where its way leads. Returns what a compare-and-swap there expects. */
uint32_t await_decide(const struct world *w, const struct wthread *t, struct decision *d);

/* Alternatives that only waits have (time-out, spurious), for model_cond.c. */
unsigned wait_alternatives(const struct world *w, const struct wthread *t);

/* model_choose.c: the ways in which a CHOOSE goes on. */
unsigned choose_alternatives(const struct wthread *t);

/* model_mutex.c, for conditions */
bool mutex_takable(const struct world *w, object_id m, thread_id t);
void mutex_take(struct world *w, object_id m, struct wthread *t);
/* What t gets when it takes m in the end of a wait: 0, EOWNERDEAD, or ENOTRECOVERABLE (it is not taken then). */
int mutex_retake_result(const struct world *w, object_id m, thread_id t);
/* Does unlocking a mutex of this type without holding it return EPERM (else: undefined)? */
bool mutex_checks_owner(uint32_t type);
/* Nobody holds the mutex or rwlock any more: it is initialised anew. */
void mutex_forget_owner(struct world *w, struct object *x);
void rwlock_forget_holders(struct world *w, struct object *x);
bool mutex_give(struct world *w, object_id m, struct wthread *t); /* true: it is free now */

/* model_cond.c: has a signal come for it? */
bool waiter_has_token(const struct world *w, const struct waiter *x);
/* object_name.c: the object that t is about to initialise gets its name. */
void object_named_by_init(struct world *w, struct wthread *t);

/* model_cond.c: acts on a cancellation request in the middle of a wait. */
void cond_cancel(struct world *w, struct wthread *t);
/* Has a signal been sent that this waiter may take? */
bool cond_has_token(const struct world *w, const struct wthread *t);

/* clock.c: virtual time along the dependences of one access. */
void clock_access(struct world *w, struct wthread *t, object_id o, unsigned mode, uint32_t seq);

#endif
