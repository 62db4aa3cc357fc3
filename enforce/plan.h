/*
 * The plan: what the library (enforce/lib/) gets of a certificate. `simul enforce` lays it out in one piece of shared memory, and checks
 * every index. All places in it are byte offsets from its start.
 */
#ifndef SIMUL_PLAN_H
#define SIMUL_PLAN_H

#include <stdint.h>

#define PLAN_MAGIC UINT64_C(0x006e616c706c7573)
#define PLAN_VERSION 12
#define PLAN_ENV "SIMUL_ENFORCE" /* number of the descriptor */
#define PLAN_NONE UINT32_MAX
#define PLAN_FILES (UINT32_MAX - 2) /* module of an object that stands for all files */
#define PLAN_HEAP (UINT32_MAX - 1) /* module of a block of the heap: the offset is its address */

struct plan_module {
	uint32_t path, build_id; /* texts; the program itself is number 0 */
};

struct plan_thread {
	uint32_t path;          /* text */
	uint32_t parent, child; /* index of the thread that created it, and its number among the threads which that one created */
	uint32_t first, n;      /* mine[first .. + n): its events */
	uint32_t stack;         /* the address of its stack's end, modulo STACK_LOW (certificate.h) */
	uint64_t at, bytes, guard; /* address and sizes of its stack in the search (certificate.h); bytes 0: it may lie anywhere */
	uint64_t stack_bytes;   /* all shared bytes of its stack lie at most this far below the end; 0: it has none */
	uint64_t tls_bytes;     /* the same below its thread pointer */
};

struct plan_range {
	uint32_t module, size;
	uint64_t offset;
};

struct plan_object {
	uint32_t kind;  /* enum object_kind */
	uint32_t name;  /* text */
	uint32_t thread; /* OBJ_THREAD: index */
	uint32_t first, n; /* uses[first .. + n): the events that touch it, in order */
	struct plan_range at; /* module PLAN_NONE: known when it is used first */
};

struct plan_event {
	uint32_t thread, k;     /* the k-th of its thread, from 0 */
	uint8_t kind, alt, failed;
	uint8_t waited;         /* 1: some event may wait for it */
	uint32_t object[2];     /* index + 1; 0: none */
	uint32_t first, n;      /* after[first .. + n) */
	uint32_t text;          /* "lock m at queue.c:88" */
	uint32_t number;        /* of the event in the certificate, from 1 */
	uint32_t value_size;    /* number of bytes that it reads; they are in `value`, little-endian. 0: not compared */
	uint64_t value;
};

/*
 * The choice: the last event of the prefix, or one of those that may be performed instead. Events n_events .. + n_instead - 1 are the latter. It
 * exists while `certified` equals n_events and n_instead is not 0. The word `choice` is 0, then the index + 1 of the chosen event, and then
 * that with PLAN_CHOSEN, once the event has been performed.
 */
#define PLAN_CHOSEN (UINT32_C(1) << 31)

/* What other threads see of a thread, on a cache line of its own. Initially zero. */
struct plan_progress {
	_Alignas(64) uint32_t done; /* number of events that it has performed; a futex word */
	uint32_t sleepers;          /* number of threads that sleep until `done` or `certified` changes */
	uint32_t tid;               /* its id in the kernel; 0: it has not begun */
	uint32_t ended;             /* 1: it has ended */
	uint32_t waits_for;         /* index + 1 of the event that the thread waits for; 0: none */
};

struct plan_env {
	uint64_t digest;
	uint32_t name;
	uint32_t hidden;       /* 1: the value is not compared */
};

struct plan {
	uint64_t magic, size;
	uint32_t version;
	uint32_t certified;    /* number of events in the prefix; it only falls, also while the program runs (relax.h) */
	uint32_t any_arguments; /* 1: the program may have other arguments, and leave accesses out */
	uint32_t uncertified;  /* 1: after a divergence the program continues without protection; 0: it ends */
	uint32_t trace;        /* 1: events are noted in `performed` */
	uint32_t stall_ms;     /* the program is ended after so long without an event while some thread waits */
	uint32_t processors;
	uint32_t heap;         /* 1: heap blocks have the same addresses as in the search (preload/memory/heap.h) */
	uint32_t freed_waits;  /* as in the certificate */
	uint32_t stacks;       /* 1: some shared bytes are on stacks or thread-local */
	uint32_t n_modules, n_threads, n_objects, n_events, n_shared, n_sites, n_env;
	uint32_t pad_;
	uint32_t env_complete; /* 1: a variable that is not in the plan was not set */
	uint32_t inline_calls; /* 1: the program makes system calls by its own instructions */
	uint32_t n_instead;
	uint32_t n_performed;  /* by the library */
	uint32_t choice;       /* see above; a futex word */
	uint32_t choice_sleepers;
	uint64_t modules, threads, objects, events, shared, sites, env, mine, uses, after, texts, progress, performed;
};

#endif
