/*
 * Event kinds and their traits: the columns of sched/event_kinds.def.
 *
 * A switch over kinds is over the enum, without `default`. The compiler reports a missing kind (-Wswitch-enum). Kinds are stored in bytes;
 * event_kind_of and op_kind (event.h) return the enum. A switch in one model covers the kinds of other models with `case
 * EVENTS_BUT(SECTION):`. Where the kind itself does not matter, switch over the enum of a column.
 */
#ifndef SIMUL_EVENT_KIND_H
#define SIMUL_EVENT_KIND_H

#include <stdbool.h>
#include <stdint.h>

#undef EV_NONE /* <elf.h> has one too, with the same value */

/* EV_BEGIN_<section> is the first kind of a section of the table, EV_END_<section> the one after its last. They name no further kinds. */
enum event_kind {
	EV_NONE = 0,
#define EVENT(name, ...) EV_##name,
#define EVENTS_BEGIN(section, model) EV_BEGIN_##section, EV_BEFORE_##section = EV_BEGIN_##section - 1,
#define EVENTS_END(section) EV_END_##section, EV_LAST_##section = EV_END_##section - 1,
#include "sched/event_kinds.def"
	EV_COUNT
};

/* Everything but the kinds of one section, for `case`. */
#define EVENTS_BUT(section) EV_NONE ... EV_BEFORE_##section: case EV_END_##section ... EV_COUNT

enum object_kind {
	OBJ_NONE = 0,
	OBJ_THREAD,
	OBJ_MUTEX,
	OBJ_SPIN,
	OBJ_COND,
	OBJ_RWLOCK,
	OBJ_SEM,
	OBJ_BARRIER,
	OBJ_ONCE,
	OBJ_FUTEX,
	OBJ_FD,
	OBJ_PROCESS,
	OBJ_MEMORY,
	OBJ_COUNT
};

/* How an event touches an object. event.h says which modes are dependent. */
enum access_mode {
	M_NONE = 0,
	M_READ,
	M_WRITE,
	M_ACQ,
	M_REL,
	M_RDACQ,
	M_RDREL,
	M_SEND,
	M_RECV,
	M_ARRIVE,
	M_LAST,
	M_PASS,
	M_ENQ,
	M_SIG,
	M_TAKE,
	M_DEQ,
	M_POKE,
	M_BUFFER,
	M_MEET,
	M_SECT,
	M_CLAIM,
	M_ADD,
	M_COUNT
};

/* What a thread waits for while its operation is not enabled. */
enum waits_for {
	WAITS_NOTHING = 0, /* it is always enabled */
	WAITS_CHANGE,      /* only in a spin loop (OPF_AWAIT): a change of what the loop reads */
	WAITS_LOCK,        /* the holders of a lock release it */
	WAITS_TOKEN,       /* a signal of its condition, a wake-up of its futex; COND_WAKE: then the mutex */
	WAITS_POST,        /* a token of its semaphore */
	WAITS_END,         /* the end of the thread */
	WAITS_ARRIVALS,    /* the last arrival of its round at the barrier */
	WAITS_ONCE,        /* the end of the initialiser that another thread runs */
	WAITS_READY,       /* its descriptor becomes ready */
	WAITS_CHILD,       /* a child process ends */
	WAITS_DELIVERY,    /* a signal is delivered */
	WAITS_ASSUMPTION,  /* nothing: the assumption does not hold, or the round of a waiting loop is over */
};

/* What decides the outcome of an event when it is executed at another place of a trace. */
enum event_outcome {
	OUTCOME_SAME = 0,  /* it has the same outcome wherever it is executed */
	OUTCOME_FOUND,     /* a load in a spin loop: the value that it finds */
	OUTCOME_SWAP,      /* a compare-and-swap: the value that it finds */
	OUTCOME_EXCLUSIVE, /* whether the lock is free */
	OUTCOME_SHARED,    /* whether no writer holds the lock */
	OUTCOME_UNSHARED,  /* whether neither writer nor reader holds the lock */
	OUTCOME_CLAIM,     /* a write lock of a lock that prefers writers: whether readers hold the lock */
	OUTCOME_ENDED,     /* whether the thread has ended */
	OUTCOME_POST,      /* how many posts come before it */
	OUTCOME_TOKEN,     /* how many tokens were sent and taken before it */
	OUTCOME_ONCE,      /* whether the initialiser has run */
	OUTCOME_ARRIVAL,   /* whether it completes a round; with mode MEET, which round it is in */
	OUTCOME_SLEEP,     /* whether the futex word has the expected value */
	OUTCOME_WOKEN,     /* how many threads wait */
	OUTCOME_REQUEUED,  /* how many threads wait, for the requeue operations */
	OUTCOME_READY,     /* what is ready; the trace does not show it */
};

/* What event.seq holds. */
enum event_seq {
	SEQ_NOTHING = 0,
	SEQ_CHILD, /* the new thread: event_child */
	SEQ_POKED, /* with mode POKE, the thread that is poked: event_poked */
	SEQ_TOKEN, /* the number of a token: event_token */
	SEQ_ROUND, /* the number of a barrier's round: event_round */
	SEQ_CLAIMS, /* whether the thread may claim the lock, if readers hold it: event_claims, event_claims_timed */
	SEQ_VALUE, /* fingerprint of the value found: event_found. STORE into a buffer: `result` of its UPDATE, event_stored */
};

/* What event.result holds. */
enum event_result {
	RESULT_NOTHING = 0, /* always 0 */
	RESULT_ERRNO,       /* 0, or an errno value */
	RESULT_COUNT,       /* how many; FUTEX_REQUEUE: or a negated errno value */
	RESULT_TOKENS,      /* the value of the semaphore */
	RESULT_BYTES,       /* bytes transferred */
	RESULT_SERIAL,      /* PTHREAD_BARRIER_SERIAL_THREAD for the one that completes the round, else 0. With mode MEET: how many threads a round takes */
	RESULT_RUNS,        /* 1: it runs the initialiser */
	RESULT_AWAIT,       /* with EVF_AWAIT which await (event_await), else 0 */
	RESULT_AGENT,       /* STORE into a buffer: the agent that will drain it (event_agent). With EVF_AWAIT as RESULT_AWAIT */
	RESULT_EXPECTED,    /* fingerprint of the value that a compare-and-swap expects (event_expected); 0: it always writes. With
			       EVF_AWAIT as RESULT_AWAIT */
	RESULT_STORE,       /* the storing thread and the number of the store: see update_owner */
	RESULT_CHOICE,      /* see choice.h */
	RESULT_STATUS,      /* how the process ends */
};

/* What the flag bits 4, 8 and 16 mean, see enum event_flags. */
enum event_bits {
	BITS_CALL = 0, /* FAILED, GROUPS, LATE */
	BITS_WAIT,     /* FAILED, RELEASES2, LATE */
	BITS_ACCESS,   /* FAILED, PLAIN, ATOMIC */
	BITS_LOAD,     /* FORWARDED, PLAIN, ATOMIC */
};

/* What an event means in a round of a waiting loop (rounds.h), in which the thread must do nothing but wait. */
enum event_round {
	ROUND_ENDS = 0, /* the round is over: the thread does something */
	ROUND_WAITS,    /* it only waits */
	ROUND_TAKES,    /* it takes a lock, or tries to */
	ROUND_GIVES,    /* it gives a lock back */
	ROUND_LOOKS,    /* it reads */
	ROUND_SWAPS,    /* a read-modify-write; it may fail */
	ROUND_WRITES,   /* it writes, which a later event may undo */
	ROUND_TRIES,    /* an attempt; the round goes on if it fails */
	ROUND_UNTIL,    /* the beginning of a wait; the round goes on if it may time out */
	ROUND_TIMED,    /* the end of one that timed out */
	ROUND_CLAIMS,   /* a step of a timed lock */
};

/* Where an execution that a certificate controls may have events of the kind. */
enum event_enforce {
	ENFORCE_NEVER = 0,
	ENFORCE_BEHIND, /* after the prefix. Either they touch no object that an event of the prefix touches, and their functions are not replaced; or they wait for the whole
			   prefix (enforce/lib/hook_process.c), or are caused by events that do */
	ENFORCE_OWN,    /* everywhere on files that only the program has (base/own_files.h), if enforce/lib/ knows all
			   operations on them. On other files: after the prefix */
	ENFORCE_PREFIX, /* everywhere */
};

enum event_kind_flags {
	K_BLOCK = 1,      /* may be disabled (its thread blocked) in some states, not only in a spin loop: follows from WAITS */
	K_MUTEX2 = 2,     /* the second object is a mutex that the operation releases or takes */
	K_LOCAL = 4,      /* touches nothing that another thread could observe */
	K_END = 8,        /* ends the execution, and is dependent with every event */
	K_ALL = 16,       /* dependent with every event */
	K_TRY = 32,       /* fails instead of waiting. Its pending event shows the mode of success even while it would fail */
	K_TIMED = 64,     /* may be announced with OPF_TIMED */
	K_INIT = 128,     /* initialises its object and so gives it its name */
	K_BUFFER = 256,   /* does not wait until the thread's store buffer is empty: the call executes no locked instruction. A call that executes one
			     on some of its ways has two kinds (COND_LOOK and COND_SIGNAL) */
	K_GIVES_WAY = 512, /* the thread gives way voluntarily: a switch after it is no preemption */
	K_DRAINS_ALL = 2048, /* waits until the store buffers of all threads are empty: dependent with all stores into buffers, and their updates */
	K_DESTROY = 4096, /* ends the life of its object */
	K_INNER = 1024,   /* never announced: an alternative of other operations, or a drain agent's */
};

/* One line of the table. */
struct event_traits {
	uint8_t object;  /* enum object_kind */
	uint8_t mode[2]; /* enum access_mode */
	uint8_t waits;   /* enum waits_for */
	uint8_t other;   /* enum event_kind */
	uint8_t outcome; /* enum event_outcome */
	uint8_t seq;     /* enum event_seq */
	uint8_t result;  /* enum event_result */
	uint8_t bits;    /* enum event_bits */
	uint8_t round;   /* enum event_round */
	uint8_t enforce; /* enum event_enforce */
};
extern const struct event_traits event_traits[EV_COUNT];
extern const uint16_t event_flags_of_kind[EV_COUNT];

/* The functions below accept any number. A number out of range has the traits of EV_NONE: zero in every column. */
static inline const struct event_traits *event_traits_of(unsigned kind)
{
	return &event_traits[kind < EV_COUNT ? kind : EV_NONE];
}

/* Flags of the kind (K_*). */
static inline unsigned event_kind_flags(unsigned kind)
{
	return kind < EV_COUNT ? event_flags_of_kind[kind] : 0;
}

/* Kind of the first object. */
static inline enum object_kind event_kind_object(unsigned kind)
{
	return (enum object_kind)event_traits_of(kind)->object;
}

/* How an operation of this kind touches object k (0 or 1) when it succeeds. */
static inline enum access_mode event_kind_mode(unsigned kind, unsigned k)
{
	return (enum access_mode)event_traits_of(kind)->mode[k];
}

/* Whether it is an access of a thread to memory. The UPDATE of a drain agent is none: it finishes a STORE. */
static inline bool event_kind_accesses(unsigned kind)
{
	return kind == EV_LOAD || kind == EV_STORE || kind == EV_RMW;
}

static inline enum waits_for event_kind_waits(unsigned kind)
{
	return (enum waits_for)event_traits_of(kind)->waits;
}

static inline enum event_outcome event_kind_outcome(unsigned kind)
{
	return (enum event_outcome)event_traits_of(kind)->outcome;
}

static inline enum event_seq event_kind_seq(unsigned kind)
{
	return (enum event_seq)event_traits_of(kind)->seq;
}

static inline enum event_result event_kind_result(unsigned kind)
{
	return (enum event_result)event_traits_of(kind)->result;
}

static inline enum event_bits event_kind_bits(unsigned kind)
{
	return (enum event_bits)event_traits_of(kind)->bits;
}

static inline enum event_round event_kind_round(unsigned kind)
{
	return (enum event_round)event_traits_of(kind)->round;
}

static inline enum event_enforce event_kind_enforce(unsigned kind)
{
	return (enum event_enforce)event_traits_of(kind)->enforce;
}

/* The kind that waits for what a try or timed operation tries to get; EV_NONE: there is none, or `kind` waits itself. */
static inline enum event_kind event_kind_waiting(unsigned kind)
{
	return event_kind_flags(kind) & K_BLOCK ? EV_NONE : (enum event_kind)event_traits_of(kind)->other;
}

/* The kind that a waiting operation becomes when it times out; EV_NONE: it cannot, or `kind` does not wait. */
static inline enum event_kind event_kind_timeout(unsigned kind)
{
	return event_kind_flags(kind) & K_BLOCK ? (enum event_kind)event_traits_of(kind)->other : EV_NONE;
}

/* Returns whether the thread's buffer must be empty for events of this kind, except for a STORE that goes into it. */
static inline bool event_kind_drains(unsigned kind)
{
	return !(event_kind_flags(kind) & K_BUFFER);
}

const char *event_kind_text(unsigned kind);        /* "lock"; "?" when out of range */
int event_kind_parse(const char *text);            /* EV_*, or -1 */

#endif
