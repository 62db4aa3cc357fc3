/*
 * The vocabulary: what can happen (event kinds), to what (object kinds), in which way (access modes), and which two events are dependent.
 *
 * An *operation* (struct op) is what a thread is about to do: the thread announces it at a scheduling point, and it stays pending until the
 * strategy picks the thread. An *event* (struct event) is an operation that was performed, with its outcome. A *choice* picks a thread and,
 * where its pending operation has several alternatives, one of them (ALT_*).
 */
#ifndef SIMUL_EVENT_H
#define SIMUL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"
#include "sched/event_kind.h"
#include "sched/ids.h"

/*
 * Access modes: how an event touches an object. Two events are dependent when they belong to the same thread, when one of them ends the
 * execution (K_END), begins or ends a region to explore, is a fork whose child looks at other threads' data or a
 * FUTEX_CMP_REQUEUE (K_ALL), when one is a late timeout (patience.h), when one is a POKE and the
 * other an event of the poked thread, or when they touch a common object with dependent modes:
 *
 *   READ     observes; independent of READ only (of RDACQ, RDREL, ARRIVE..: dependent)
 *   WRITE    dependent with every mode
 *   ACQ      takes something exclusive, may have to wait for a REL.   Dependent with every mode
 *   REL      gives it back; what a blocked ACQ or RDACQ waits for.    Dependent with every mode
 *   RDACQ    takes a share; waits for a writer's REL.   Independent of RDACQ and RDREL
 *   RDREL    gives a share back; a writer's ACQ waits for all.  Independent of RDACQ and RDREL
 *   SEND     puts a token into a counted channel (sem_post).  Dependent with SEND, READ, WRITE and
 *            with the RECV that has the same `seq`: the n-th RECV takes the n-th token
 *   RECV     takes a token.  Dependent with RECV, READ, WRITE, and the SEND of the same `seq`
 *   ARRIVE   arrives at a barrier without completing the round.  Independent of ARRIVE and PASS. (When two arrivals
 *            are missing, either can be the LAST. This is the only pair of independent choices whose events change
 *            with their order. See explore/trace/barrier.h)
 *   LAST     arrives at a barrier and completes the round.  Dependent with all
 *   PASS     leaves a completed barrier.  Dependent with LAST or the MEETs of its round (same seq) and WRITE only
 *   MEET     arrives at a barrier whose serial result does not go to the last arrival (world_config.barrier_first). Independent of the
 *            MEETs of its round (same seq), dependent with those of other rounds: if two can both complete a round, the second one is in
 *            the next round. Each is followed by a PASS
 *   ENQ      starts to wait on a condition.  Dependent with SIG, DEQ, WRITE and READ; two FUTEX_WAITs, which
 *            queue in order, also with each other
 *   SIG      wakes waiters.  Dependent with ENQ, TAKE, DEQ, WRITE and READ; independent of SIG
 *   TAKE     a waiter takes a wake-up token.  Dependent with SIG, TAKE, DEQ and WRITE
 *   DEQ      a waiter gives up (timeout, spurious, cancelled).  Dependent with SIG, TAKE, ENQ, DEQ, WRITE, and the READ of COND_LOOK
 *   SECT     takes a mutex for a section that is one step (section.h), which ends without a REL. Independent of SECT, dependent with
 *            every other mode
 *   CLAIM    a writer begins to wait for the readers of a lock, so that no other thread gets it before; or it gives up. Dependent with
 *            every mode
 *   ADD      adds a number to bytes, and its thread does not see their value. Independent of ADD on exactly the same bytes, dependent with
 *            every other mode and with ADD on bytes that overlap otherwise
 *   BUFFER   goes into a store buffer, unseen by other threads.  Independent of every mode
 *   POKE     changes what another thread does at any later point (cancel, signal): dependent with
 *            every event of that thread (obj is the thread's object, seq its thread_id) and with other
 *            POKEs of it
 *
 * An event that waits for the buffers of all threads (K_DRAINS_ALL) is dependent with each STORE into a buffer and each UPDATE.
 *
 * Memory objects (memory.h) are common when the byte ranges overlap.
 *
 * With store buffers (membuf.h), an UPDATE is an event of a drain agent on behalf of its *owner*, the thread that stored. It is dependent
 * with the owner's events except LOAD, STORE and other kinds with K_BUFFER, because these events all wait for an empty buffer. It is dependent with another UPDATE of
 * the same owner when the bytes overlap, the later store is a release, or a release fence lies between the stores (their order is then
 * fixed). A LOAD that gets bytes from its thread's buffer does not depend on other threads' writes to them. Whether it gets them depends on
 * its place in the trace, so events_dependent assumes that it reads memory.
 *
 * The relation is symmetric. Only sched/depend.c decides it.
 */

/* The alternatives of a pending operation; bit (1 << ALT_x) in a set of alternatives. */
enum alternative {
	ALT_NORMAL = 0,
	ALT_TIMEOUT = 1,  /* a timed condition or futex wait times out */
	ALT_SPURIOUS = 2, /* a condition wait wakes for no reason (--spurious) */
	ALT_SIGNAL = 3,   /* a pending signal's handler runs first */
	ALT_CANCEL = 4,   /* a pending cancellation request is acted upon */
	ALT_SECOND = 5,   /* CHOOSE: another part than the first, see choice.h */
	ALT_THIRD = 6,
	ALT_FOURTH = 7,
	ALT_BEFORE = 8,   /* a pending signal's handler runs just before a call that will wait, where ALT_SIGNAL interrupts the wait. It is enabled
			     only together with ALT_SIGNAL, so sets in a byte leave it out */
	ALT_COUNT,
	/* An atomic access under RC11 (live.h): it reads, or is placed after, an older store than the latest.
	   ALT_OLDER: the newest of these that is consistent, ALT_OLDER + 1: the next one. ALT_NORMAL: the latest.
	   Sets of alternatives leave these out. */
	ALT_OLDER = 16,
	ALT_OLDEST = 47,
};
#define OLDER_STORES (ALT_OLDEST - ALT_OLDER + 1)

/* Event flags. Three bits have meanings that depend on the column BITS of the kind: use event_failed, event_forwarded, event_late. */
enum event_flags {
	EVF_BLOCKING = 1,  /* its operation may be disabled: reversing a race may need another event */
	EVF_WAITED = 2,    /* it was disabled at some time between its announcement and its execution */
	EVF_FAILED = 4,    /* except LOAD: a try or timed operation that failed */
	EVF_FORWARDED = 4, /* LOAD: some of the bytes came from the thread's own buffer */
	EVF_RELEASES2 = 8, /* COND_WAIT: obj[1] was really released (a recursive mutex may stay locked) */
	EVF_GROUPS = 8,    /* FD_POLL, FD_OTHER: it is on the groups of its files (preload/kernel/fd.h): a poll of
			      more files than an event has objects, and what joins files to a group */
	EVF_LATE = 16,     /* except memory events: it happened only because no other choice was enabled: ALT_TIMEOUT, see patience.h;
			      EXIT, see late_exit.h */
	/* memory events; the same bits as OPF_* */
	EVF_PLAIN = 8,     /* certainly not atomic */
	EVF_ATOMIC = 16,
	EVF_ACQUIRE = 32,  /* a load that synchronises with the release it reads from. For a failed compare-and-swap, its order for failure decides */
	EVF_RELEASE = 64,
	EVF_AWAIT = 128,   /* in a spin loop: enabled only where it would leave the loop, see await.h */
};

/* One visible operation that was performed. 32 bytes, since millions are stored. */
struct event {
	thread_id thread;
	uint8_t kind; /* enum event_kind */
	uint8_t alt;  /* enum alternative */
	uint8_t mode[2]; /* enum access_mode of obj[0] and obj[1]; M_NONE when there is no such object */
	uint8_t flags;   /* EVF_* */
	uint8_t span;    /* with memory objects: which bytes of the first and the last cell, see memory.h */
	object_id obj[2]; /* 0 = none; obj[0] and obj[1] differ */
	uint32_t seq;     /* meaning by kind, see enum event_seq and the accessors below */
	int32_t result;   /* meaning by kind, see enum event_result and the accessors below */
	uint64_t pc;      /* return address of the call in the program; 0 when unknown */
};
_Static_assert(sizeof(struct event) == 32, "events are stored by the million");
_Static_assert(EV_COUNT <= UINT8_MAX && M_COUNT <= UINT8_MAX && ALT_BEFORE == 8 && ALT_COUNT == 9, "they are kept in bytes, alternatives but ALT_BEFORE as bits of one");

#define OP_NO_DEADLINE UINT64_MAX

enum op_flags {
	OPF_TIMED = 1,        /* has a deadline: may time out */
	OPF_CANCELPOINT = 2,  /* deferred cancellation may act here */
	OPF_INTERRUPTIBLE = 4, /* a signal handler that runs while it waits makes it return EINTR */
	OPF_CREATE_DETACHED = 8,
	OPF_BEGUN = 16, /* with OPF_INTERRUPTIBLE: the call has begun before: it has another signal mask than its thread (sigsuspend), or waits again */
	OPF_PLAIN = 8,   /* memory operations, like EVF_* */
	OPF_ATOMIC = 16,
	OPF_ACQUIRE = 32,
	OPF_RELEASE = 64,
	OPF_AWAIT = 128,
	OPF_DRAINS = 1,  /* STORE: waits for an empty buffer and writes to memory directly (a C11 seq_cst store, xchg) */
};
#define EVF_MEMORY (EVF_PLAIN | EVF_ATOMIC | EVF_ACQUIRE | EVF_RELEASE | EVF_AWAIT)

/* FD_POLL, FD_OTHER: bits of op.type. */
enum files_type {
	FILES_GROUPS = 1,  /* EVF_GROUPS */
	FILES_CHANGES = 2, /* FD_POLL: it changes what it looks at. A wait for an epoll instance takes events from its
			      list: what the next wait finds depends on it */
};

/* One visible operation that a thread is about to perform. */
struct op {
	uint8_t kind;  /* enum event_kind of its first event */
	uint8_t flags; /* OPF_* */
	uint8_t span;  /* as in struct event */
	uint8_t more : 1;  /* STORE: 1: a piece of an access that is announced in several pieces, and not the last piece */
	uint8_t failed_acquires : 1; /* a compare-and-swap: OPF_ACQUIRE is its order for success; 1: it acquires when it fails */
	uint8_t counts : 1; /* 1: the thread may be in a loop that waits, and rounds.h counts its turns */
	/* 1: the thread has written to other memory than its stack since its previous operation; only where rounds
	   matter, and under RC11 */
	uint8_t wrote : 1;
	uint8_t adds : 1;  /* RMW: 1: it adds a number, and the thread does not see the value (ADD) */
	uint8_t seq_cst : 1; /* memory operations: the program says that it is seq_cst */
	uint8_t failed_seq_cst : 1; /* a compare-and-swap: the same for its order when it fails */
	uint8_t same : 1;  /* 1: part of the same machine instruction as the thread's previous operation: no signal handler runs in between */
	uint32_t type;        /* MUTEX_*: enum mutex_type; RW_*: enum rwlock_type; RMW: fingerprint of the value that a compare-and-swap
	                         expects, 0: it always writes; STORE: 1: no access, but the end of a block or a mapping;
	                         FENCE under RC11: enum rc11_order; FD_POLL, FD_OTHER: enum files_type; others: 0 */
	object_id obj[2];
	uint64_t arg[2];      /* meaning by kind, documented where the model handles it; LOAD, STORE, RMW: address and
	                         size in bytes */
	uint64_t state;       /* hash of the thread's registers and stack; 0: unknown. Memory operations have it with OPF_AWAIT, see await.h;
	                         rounds.h says what others use it for */
	uint64_t deadline;    /* virtual nanoseconds, or OP_NO_DEADLINE */
	uint64_t pc;          /* as in struct event */
};
_Static_assert(sizeof(struct op) == 56, "operations are copied with every announcement");

/* Returns the flags of a compare-and-swap that fails, given its flags when it succeeds. acquires: it acquires when it fails. */
static inline unsigned event_failed_flags(unsigned flags, bool acquires)
{
	return (flags & ~(unsigned)EVF_ACQUIRE) | EVF_FAILED | (acquires ? EVF_ACQUIRE : 0);
}

/* The kind as an enum, for switches. */
static inline enum event_kind event_kind_of(const struct event *e)
{
	return (enum event_kind)e->kind;
}
static inline enum event_kind op_kind(const struct op *op)
{
	return (enum event_kind)op->kind;
}

/* ---- the meanings of seq, result and flags ---- */

/* THREAD_CREATE: the new thread; NO_THREAD when the creation failed. */
static inline thread_id event_child(const struct event *e)
{
	return (thread_id)e->seq;
}
/* Mode POKE: the thread whose later events depend on this one. */
static inline thread_id event_poked(const struct event *e)
{
	return (thread_id)e->seq;
}
/* SEND and RECV: the number of the semaphore's token, from 1. 0: not known yet. */
static inline uint32_t event_token(const struct event *e)
{
	return e->seq;
}
/* ARRIVE, LAST, MEET and PASS: the number of the barrier's round, from 1. */
static inline uint32_t event_round(const struct event *e)
{
	return e->seq;
}
/* RW_WRLOCK, RW_TRYWRLOCK, RW_WRWAIT: the thread claims the lock where readers hold it. Otherwise a blocking operation waits unseen. */
#define RW_CLAIMS 1u
#define RW_CLAIMS_TIMED 2u /* and it fails where a writer holds the lock or has claimed it */
static inline bool event_claims(const struct event *e)
{
	return event_kind_seq(e->kind) == SEQ_CLAIMS && e->seq;
}
static inline bool event_claims_timed(const struct event *e)
{
	return event_claims(e) && (e->seq & RW_CLAIMS_TIMED);
}
/* LOAD, RMW, UPDATE, FUTEX_WAIT, and a STORE to memory: fingerprint of the value found there before. 0: unknown. */
static inline uint32_t event_found(const struct event *e)
{
	return e->seq;
}
/* A STORE into a buffer: `result` of its UPDATE. */
static inline uint32_t event_stored(const struct event *e)
{
	return e->seq;
}
/* A STORE into a buffer: the agent that will drain it. */
static inline thread_id event_agent(const struct event *e)
{
	return (thread_id)e->result;
}
/* An RMW outside of spin loops: fingerprint of the value that a compare-and-swap expects. 0: it always writes. */
static inline uint32_t event_expected(const struct event *e)
{
	return (uint32_t)e->result;
}
/* LOAD, STORE, RMW under RC11: the event, counted from 1, of the store that it reads, or that it comes directly after
   in modification order. 0: the value that the bytes had at first, or unknown. */
static inline uint32_t event_reads_from(const struct event *e)
{
	return (uint32_t)e->result;
}
/* With EVF_AWAIT: node number of the await, see await.h. */
static inline uint32_t event_await(const struct event *e)
{
	return (uint32_t)e->result;
}
/* How an event that touches memory (event_bytes) accesses the bytes. */
static inline unsigned event_bytes_mode(const struct event *e)
{
	return e->mode[object_is_memory(e->obj[0]) ? 0 : 1];
}
/* Returns whether an event with this access mode of bytes changes them at once. */
static inline bool mode_changes_bytes(unsigned mode)
{
	return mode == M_WRITE || mode == M_ADD;
}
/* Returns whether the operation failed to get what it tried to get. */
static inline bool event_failed(const struct event *e)
{
	return event_kind_bits(e->kind) != BITS_LOAD && (e->flags & EVF_FAILED);
}
/* Returns whether the event is a LOAD with bytes from its thread's own buffer. */
static inline bool event_forwarded(const struct event *e)
{
	return event_kind_bits(e->kind) == BITS_LOAD && (e->flags & EVF_FORWARDED);
}

/* `result` of an UPDATE: the storing thread; the number of the store in that thread; and how many release fences of the thread preceded
   it. The last two are modulo 2^n. Stores in one buffer are never half of that or more apart. */
#define UPDATE_NUMBERS 2048u
#define UPDATE_EPOCHS 128u
static inline int32_t update_result(thread_id owner, uint32_t number, uint32_t epoch)
{
	return (int32_t)(owner | (number % UPDATE_NUMBERS) << 11 | (epoch % UPDATE_EPOCHS) << 22);
}
static inline thread_id update_owner(const struct event *e)
{
	return (thread_id)((uint32_t)e->result % 2048);
}
static inline uint32_t update_number(const struct event *e)
{
	return (uint32_t)e->result >> 11 & (UPDATE_NUMBERS - 1);
}
static inline uint32_t update_epoch(const struct event *e)
{
	return (uint32_t)e->result >> 22 & (UPDATE_EPOCHS - 1);
}
_Static_assert(MAX_THREADS <= 2048, "update_result");
/* The thread on whose behalf the event happened: its own thread, or the owner of an UPDATE. */
static inline thread_id event_owner(const struct event *e)
{
	return e->kind == EV_UPDATE ? update_owner(e) : e->thread;
}
/* Returns whether the event goes into the store buffer of its thread. */
static inline bool event_buffered(const struct event *e)
{
	return e->kind == EV_STORE && e->mode[0] == M_BUFFER;
}
/* Returns whether the thread's buffer must be empty for the event. */
static inline bool event_drains(const struct event *e)
{
	return event_kind_drains(e->kind) && !event_buffered(e);
}

/* A choice that the strategy may pick. */
struct choice {
	thread_id thread;
	uint8_t alt; /* enum alternative */
	uint8_t pad_;
};

/* How an execution ended. */
enum run_verdict {
	RUN_OK = 0,      /* ended by EXIT */
	RUN_DEADLOCK,    /* threads remain, none is enabled */
	RUN_FAILED,      /* ended by DEATH, or by EXIT with a failure */
	RUN_CUT,         /* ended by a bound, or stopped by the strategy (PICK_STOP): not a complete execution */
	RUN_COVERED,     /* a thread in a spin loop iterated without effect: another execution is the same without that iteration */
	RUN_ASSUMED,     /* a thread waits for ever at an assumption that does not hold (ASSUME): the execution is outside of the test */
};

/* Returns whether the execution counts as explored. */
static inline bool verdict_is_whole(enum run_verdict v)
{
	return v != RUN_CUT && v != RUN_COVERED && v != RUN_ASSUMED;
}

const char *object_kind_text(unsigned object_kind); /* "mutex", "cond", ... */
int object_kind_parse(const char *text);
/* "", "timeout", "spurious", "signal", "cancel", "second", ..., "older1", "older2", ... */
const char *alternative_text(unsigned alt);
int alternative_parse(const char *text);
/* Returns whether the alternative is one of ALT_OLDER to ALT_OLDEST. */
static inline bool alternative_is_older(unsigned alt)
{
	return alt >= ALT_OLDER && alt <= ALT_OLDEST;
}
/* Returns whether it is an alternative at all. */
static inline bool alternative_exists(unsigned alt)
{
	return alt < ALT_COUNT || alternative_is_older(alt);
}

/* Returns whether the two modes are dependent on one object, given each event's seq. */
bool modes_dependent(unsigned a, uint32_t seq_a, unsigned b, uint32_t seq_b);

/* Sets [lo, hi] to the bytes of memory that an event touches with its objects, in cells times 16 (ids without OBJECT_MEMORY). Returns
   false when it touches none. Both objects of a LOAD, STORE or RMW name one range. */
static inline bool event_bytes(const struct event *e, uint64_t *lo, uint64_t *hi)
{
	object_id first = e->obj[0], last = e->obj[1];
	if (!object_is_memory(first))
		first = last;
	if (!object_is_memory(first))
		return false;
	if (!last)
		last = first;
	*lo = (uint64_t)(first & ~OBJECT_MEMORY) << 4 | (e->span & 15);
	*hi = (uint64_t)(last & ~OBJECT_MEMORY) << 4 | e->span >> 4;
	return true;
}

/* A quick test: returns true when two events of different threads touch only different cells of memory, and so are independent. (An
   UPDATE also has an owner, so it never passes.) */
static inline bool events_apart(const struct event *a, const struct event *b)
{
	object_id a_last = a->obj[1] ? a->obj[1] : a->obj[0], b_last = b->obj[1] ? b->obj[1] : b->obj[0];
	return object_is_memory(a->obj[0]) && object_is_memory(b->obj[0]) && (a_last < b->obj[0] || b_last < a->obj[0]) &&
	       a->kind != EV_UPDATE && b->kind != EV_UPDATE;
}

/* Returns whether the event is a timeout that happened because no other choice was enabled. */
static inline bool event_late(const struct event *e)
{
	return e->alt == ALT_TIMEOUT && (e->flags & EVF_LATE);
}

/* Returns whether the event is an exit where nothing else can happen. Such an exit is in no race. */
static inline bool event_exits_late(const struct event *e)
{
	return e->kind == EV_EXIT && (e->flags & EVF_LATE);
}

/* Returns whether no other thread can run after the event until the atomic region, or the step, that it begins ends. */
static inline bool event_begins_unit(const struct event *e)
{
	return e->kind == EV_ATOMIC_BEGIN || e->mode[0] == M_SECT || e->mode[1] == M_SECT;
}

/* Returns whether the event is dependent with every event, without ending the execution. */
static inline bool event_drains_all(const struct event *e)
{
	return event_kind_flags(e->kind) & K_DRAINS_ALL;
}
static inline bool event_with_all(const struct event *e)
{
	return (event_kind_flags(e->kind) & K_ALL) || event_late(e);
}

/* Returns whether two events are dependent (see enum access_mode). Symmetric; true for two events of one thread. */
bool events_dependent(const struct event *a, const struct event *b);

#endif
