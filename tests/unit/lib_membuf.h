/*
 * Store buffers driven by hand, for test_membuf.c and test_membuf_pso.c: the memory, the threads, and words for what they do. Memory is one page here; a
 * thread "runs" between world_show_buffer and world_hide_buffer.
 */
#ifndef LIB_MEMBUF_H
#define LIB_MEMBUF_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/memory.h"
#include "tests/unit/lib_valid.h"
#include "tests/unit/lib_world.h"

#define BASE UINT64_C(0x5000)
#define X 0x10u /* offsets into memory */
#define Y 0x20u
#define Z 0x30u

static struct thread_names names;
static struct event pending[MAX_IDS];
static uint8_t pending_alts[MAX_IDS], mem[4096];
static struct memory_table cells;
static _Alignas(16) char arena_memory[1 << 20];
static struct arena *arena;

static inline void *bytes_at(void *ctx, uint64_t addr, uint32_t size)
{
	assert_true(addr >= BASE && addr + size <= BASE + sizeof mem);
	return mem + (addr - BASE);
}

/* T0 and the three threads that it created. */
static inline int setup(unsigned model)
{
	struct world_config config = { .names = &names, .trace = &TRACE, .memory = bytes_at, .settings.model = model };
	thread_names_init(&names);
	memset(mem, 0, sizeof mem);
	TRACE = (struct trace){ .pending = pending, .alts = pending_alts, .memory = &cells };
	arena = arena_init(arena_memory, sizeof arena_memory);
	W = world_init(arena, &config);
	for (unsigned i = 1; W && i < 4; i++)
		run(0, OP(EV_THREAD_CREATE, 0));
	return W ? 0 : -1;
}

static inline int sc(void **state)
{
	return setup(MODEL_SC);
}

static inline int tso(void **state)
{
	return setup(MODEL_TSO);
}

static inline int pso(void **state)
{
	return setup(MODEL_PSO);
}

/* ---- words ---- */

static inline struct op ACCESS(unsigned kind, unsigned at, unsigned size)
{
	struct op op = { .kind = (uint8_t)kind, .arg = { BASE + at, size }, .deadline = OP_NO_DEADLINE, .pc = 0x400 + at };
	assert_true(memory_name(&cells, BASE + at, size, op.obj, &op.span));
	return op;
}

static inline struct op FLAGGED(struct op op, unsigned flags)
{
	op.flags |= (uint8_t)flags;
	return op;
}

/* t's code writes without announcing it. */
static inline void write_unseen(unsigned t, unsigned at, const void *bytes, unsigned size)
{
	world_show_buffer(W, (thread_id)t);
	memcpy(mem + at, bytes, size);
	world_hide_buffer(W, (thread_id)t);
	world_valid(W);
}

static inline void perform_store(unsigned t, struct op op, const void *bytes)
{
	say(t, op);
	assert_int_equal(alts(t), 1u << ALT_NORMAL);
	go(t);
	write_unseen(t, (unsigned)(op.arg[0] - BASE), bytes, (unsigned)op.arg[1]);
}

/* Thread t stores `size` bytes of n. Returns the agent that holds the store. */
static inline thread_id store_as(unsigned t, unsigned flags, unsigned at, unsigned size, uint64_t n)
{
	perform_store(t, FLAGGED(ACCESS(EV_STORE, at, size), flags), &n);
	assert_int_equal(ST.event.kind, EV_STORE);
	assert_int_equal(ST.event.mode[0], M_BUFFER);
	assert_int_equal(ST.outcome, STEP_DONE);
	assert_true(is_agent((thread_id)ST.event.result));
	return (thread_id)ST.event.result;
}

static inline thread_id store(unsigned t, unsigned at, uint64_t n)
{
	return store_as(t, 0, at, 8, n);
}

static inline uint64_t word(unsigned at)
{
	uint64_t n;
	memcpy(&n, mem + at, sizeof n);
	return n;
}

/* What t's code reads. */
static inline uint64_t seen(unsigned t, unsigned at)
{
	world_show_buffer(W, (thread_id)t);
	uint64_t n = word(at);
	world_hide_buffer(W, (thread_id)t);
	return n;
}

static inline bool enabled(thread_id agent)
{
	struct choice choices[64];
	unsigned n = world_choices(W, choices, 64);
	bool found = false;
	for (unsigned k = 0; k < n; k++) {
		assert_true(k == 0 || choices[k - 1].thread < choices[k].thread || choices[k - 1].alt < choices[k].alt);
		found |= choices[k].thread == agent;
	}
	assert_int_equal(found, alts(agent) == 1u << ALT_NORMAL);
	assert_int_equal(TRACE.alts[agent], alts(agent));
	return found;
}

/* The agent moves its oldest store to memory; trace->pending has shown the event. */
static inline void update(thread_id agent)
{
	struct event shown = TRACE.pending[agent];
	assert_true(enabled(agent));
	go(agent);
	assert_int_equal(ST.event.kind, EV_UPDATE);
	assert_int_equal(ST.event.thread, agent);
	assert_int_equal(ST.outcome, STEP_MORE);
	shown.seq = ST.event.seq; /* the value found may have changed since */
	assert_memory_equal(&shown, &ST.event, sizeof shown);
}

/* t loads; returns the fingerprint in the event. */
static inline uint32_t load(unsigned t, unsigned at, unsigned size, bool forwarded)
{
	say(t, ACCESS(EV_LOAD, at, size));
	assert_int_equal(alts(t), 1u << ALT_NORMAL);
	go(t);
	assert_int_equal(!!(ST.event.flags & EVF_FORWARDED), forwarded);
	assert_int_equal(ST.event.mode[0], M_READ);
	world_show_buffer(W, (thread_id)t);
	assert_int_equal(ST.event.seq, memory_fingerprint(mem + at, size));
	world_hide_buffer(W, (thread_id)t);
	return ST.event.seq;
}

static inline uint32_t print_of(uint64_t n, unsigned size)
{
	return memory_fingerprint(&n, size);
}

#define T(f, model) cmocka_unit_test_setup(f, model)
#define BOTH(f) { #f " (tso)", f, tso, NULL, NULL }, { #f " (pso)", f, pso, NULL, NULL }

#endif
