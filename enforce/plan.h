/*
 * What the library (enforce/lib/) is given of a certificate: one piece of shared memory, laid out by `simul enforce`. All places in it are byte
 * offsets from its start; the writer has checked every index.
 */
#ifndef SIMUL_PLAN_H
#define SIMUL_PLAN_H

#include <stdint.h>

#define PLAN_MAGIC UINT64_C(0x006e616c706c7573)
#define PLAN_VERSION 6
#define PLAN_ENV "SIMUL_ENFORCE" /* number of the descriptor */
#define PLAN_NONE UINT32_MAX
#define PLAN_HEAP (UINT32_MAX - 1) /* module: the offset is the address of a block of the heap */

struct plan_module {
	uint32_t path, build_id; /* texts; the program itself is number 0 */
};

struct plan_thread {
	uint32_t path;          /* text */
	uint32_t parent, child; /* index of its parent, and its number among the children of that */
	uint32_t first, n;      /* mine[first .. + n): its events */
	uint32_t stack;         /* where its stack ends, modulo STACK_LOW (certificate.h) */
	uint64_t stack_bytes;   /* so many bytes below that have shared ones; 0: none has */
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
	uint32_t first, n; /* uses[first .. + n): events that touch it, in order */
	struct plan_range at; /* module PLAN_NONE: known when it is used first */
};

struct plan_event {
	uint32_t thread, k;     /* the k-th of its thread, from 0 */
	uint8_t kind, alt, failed;
	uint8_t waited;         /* 1: some event may wait for it */
	uint32_t object[2];     /* index + 1; 0: none */
	uint32_t first, n;      /* after[first .. + n) */
	uint32_t text;          /* "lock m at queue.c:88" */
	uint32_t value_size;    /* bytes that it reads, little-endian in `value`; 0: not compared */
	uint64_t value;
};

/* What other threads see of a thread: on a cache line of its own. All zero at the start. */
struct plan_progress {
	_Alignas(64) uint32_t done; /* events that it has performed; futex */
	uint32_t sleepers;          /* threads that sleep until that changes, or `certified` does */
	uint32_t tid;               /* in the kernel; 0: it has not begun */
	uint32_t ended;             /* 1: it has ended */
	uint32_t waits_for;         /* index + 1 of the event that it waits for; 0: none */
};

struct plan_env {
	uint64_t digest;
	uint32_t name;
	uint32_t pad_;
};

struct plan {
	uint64_t magic, size;
	uint32_t version;
	uint32_t certified;    /* events of the prefix; only ever falls, also while the program runs (relax.h) */
	uint32_t uncertified;  /* 1: a divergence ends the protection instead of the program */
	uint32_t trace;        /* 1: events are noted in `performed` */
	uint32_t stall_ms;     /* after so long without an event while some thread waits the program is ended */
	uint32_t processors;
	uint32_t heap;         /* 1: blocks of the heap lie where they lay for the search (preload/memory/heap.h) */
	uint32_t freed_waits;  /* as in the certificate */
	uint32_t stacks;       /* 1: bytes on stacks or thread-local ones are shared */
	uint32_t n_modules, n_threads, n_objects, n_events, n_shared, n_sites, n_env;
	uint32_t n_performed;  /* by the library */
	uint64_t modules, threads, objects, events, shared, sites, env, mine, uses, after, texts, progress, performed;
};

#endif
