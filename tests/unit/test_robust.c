/*
 * Robustness: hand-made traces whose answer is known from the literature; random executions with store buffers compared with brute
 * force: is there an interleaving of the same accesses without buffers in which each reads and overwrites the same? And executions
 * of the world, of random programs: has the program a Shasha-Snir trace like this without buffers?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "sched/robust.h"
#include "tests/unit/lib_weak.h"

/* ---- traces ---- */

#define MOST 400000
#define AGENT(t) ((thread_id)(MAX_THREADS + (t)))

static struct event trace[MOST];
static uint32_t n_trace;

static struct event *add(thread_id t, unsigned kind, unsigned mode)
{
	assert_true(n_trace < MOST);
	trace[n_trace] = (struct event){ .thread = t, .kind = (uint8_t)kind, .mode = { (uint8_t)mode }, .pc = n_trace + 1 };
	return &trace[n_trace++];
}

/* Bytes [at, at + size), in one cell or two. */
static struct event *bytes(struct event *e, unsigned at, unsigned size)
{
	unsigned last = at + size - 1;
	e->obj[0] = OBJECT_MEMORY | (1 + at / 16);
	e->obj[1] = last / 16 == at / 16 ? 0 : OBJECT_MEMORY | (1 + last / 16);
	e->mode[1] = e->obj[1] ? e->mode[0] : M_NONE;
	e->span = (uint8_t)(at % 16 | last % 16 << 4);
	return e;
}

static void load(thread_id t, unsigned at)
{
	bytes(add(t, EV_LOAD, M_READ), at, 1);
}

static void load_n(thread_id t, unsigned at, unsigned size)
{
	bytes(add(t, EV_LOAD, M_READ), at, size);
}

static void store_by(thread_id t, thread_id agent, unsigned at, unsigned size)
{
	bytes(add(t, EV_STORE, M_BUFFER), at, size)->result = agent;
}

/* TSO: one agent a thread. */
static void store(thread_id t, unsigned at)
{
	store_by(t, AGENT(t), at, 1);
}

static uint32_t updates_of[8];

static struct event *update_by(thread_id t, thread_id agent, unsigned at, unsigned size)
{
	struct event *e = bytes(add(agent, EV_UPDATE, M_WRITE), at, size);
	e->result = update_result(t, updates_of[t]++, 0);
	return e;
}

static void update(thread_id t, unsigned at)
{
	update_by(t, AGENT(t), at, 1);
}

/* PSO: an agent a thread and byte. */
static void pstore(thread_id t, unsigned at)
{
	store_by(t, AGENT(t * 64 + at), at, 1);
}

static void pupdate(thread_id t, unsigned at)
{
	update_by(t, AGENT(t * 64 + at), at, 1);
}

/* A store that goes straight to memory. */
static void write_now(thread_id t, unsigned at)
{
	bytes(add(t, EV_STORE, M_WRITE), at, 1);
}

static void rmw(thread_id t, unsigned at)
{
	bytes(add(t, EV_RMW, M_WRITE), at, 1);
}

static void fence(thread_id t)
{
	add(t, EV_FENCE, M_NONE);
}

static void on_object(thread_id t, unsigned kind, unsigned mode, object_id o)
{
	add(t, kind, mode)->obj[0] = o;
}

/* ---- checking ---- */

static union {
	struct arena a;
	uint64_t room[4 << 20];
} scratch;

static struct robust_cycle cycle;

static void start(void)
{
	n_trace = 0;
	memset(updates_of, 0, sizeof(updates_of));
}

static bool check(void)
{
	struct arena *a = arena_init(scratch.room, sizeof(scratch.room));
	bool unknown = true, robust;
	memset(&cycle, 0, sizeof(cycle));
	robust = robust_check(trace, n_trace, a, &cycle, &unknown);
	assert_false(unknown);
	assert_int_equal(a->used - a->freed, sizeof(struct arena)); /* everything was given back */
	assert_int_equal(robust, cycle.n == 0);
	return robust;
}

/* The cycle: indices and steps. */
static void expect(unsigned n, const uint32_t *event, const uint8_t *step)
{
	assert_false(check());
	assert_int_equal(cycle.n, n);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(cycle.event[i], event[i]);
		assert_int_equal(cycle.step[i], step[i]);
	}
}
#define EXPECT(events, steps) expect(sizeof(events) / sizeof(uint32_t), events, steps)

enum { B = ROBUST_BEFORE, O = ROBUST_ORDER, L = ROBUST_LOOSE, D = ROBUST_DELAYED };
enum { X, Y, Z, V }; /* variables: a byte each */

/* ---- hand-made traces ---- */

static void store_buffering(void **state)
{
	start();
	store(1, X);
	load(1, Y);
	store(2, Y);
	load(2, X);
	update(1, X);
	update(2, Y);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, D, B }));
	/* only one of them late: the same outcome */
	start();
	store(1, X);
	load(1, Y);
	store(2, Y);
	update(2, Y);
	load(2, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 4 }), ((uint8_t[]){ D, B, L, B }));
	/* with a fence there */
	start();
	store(1, X);
	load(1, Y);
	store(2, Y);
	update(2, Y);
	fence(2);
	load(2, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 5 }), ((uint8_t[]){ D, B, O, B }));
	/* one load sees the other's store */
	start();
	store(1, X);
	load(1, Y);
	store(2, Y);
	update(1, X);
	load(2, X);
	update(2, Y);
	assert_true(check());
	/* late, but nobody looked */
	start();
	store(1, X);
	load(1, Y);
	load(1, Z);
	update(1, X);
	load(2, X);
	assert_true(check());
}

static void fenced(void **state)
{
	start();
	store(1, X);
	update(1, X);
	fence(1);
	load(1, Y);
	store(2, Y);
	update(2, Y);
	fence(2);
	load(2, X);
	assert_true(check());
	start();
	write_now(1, X);
	load(1, Y);
	write_now(2, Y);
	load(2, X);
	assert_true(check());
	/* stores without updates between are left alone by what drains */
	start();
	rmw(1, X);
	store(1, Y);
	load(1, Z);
	rmw(2, Z);
	update(1, Y);
	load(2, Y);
	assert_true(check());
}

static void message_passing(void **state)
{
	start(); /* PSO: the flag overtakes the data */
	pstore(1, X);
	pstore(1, Y);
	pupdate(1, Y);
	load(2, Y);
	load(2, X);
	pupdate(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 3, 4 }), ((uint8_t[]){ D, B, O, B }));
	start(); /* the other way round it is in order */
	pstore(1, X);
	pstore(1, Y);
	pupdate(1, X);
	load(2, Y);
	load(2, X);
	pupdate(1, Y);
	assert_true(check());
	start(); /* TSO */
	store(1, X);
	store(1, Y);
	update(1, X);
	update(1, Y);
	load(2, Y);
	load(2, X);
	assert_true(check());
}

static void two_writes(void **state)
{
	start(); /* 2+2W under PSO */
	pstore(1, X);
	pstore(1, Y);
	pstore(2, Y);
	pstore(2, X);
	pupdate(1, Y);
	pupdate(2, Y);
	pupdate(2, X);
	pupdate(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, L, B }));
	for (uint32_t i = 0; i < n_trace; i++) /* the second thread's Y is a release: X was not to overtake it, nor Y X */
		if (trace[i].kind == EV_UPDATE && update_owner(&trace[i]) == 2)
			trace[i].flags |= EVF_RELEASE;
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, O, B }));
}

static void readers_agree(void **state)
{
	start(); /* IRIW: both writes are late, their order is the same for both readers */
	store(1, X);
	store(2, Y);
	load(3, X);
	load(4, Y);
	update(1, X);
	load(3, X);
	load(3, Y);
	load(4, X);
	update(2, Y);
	load(4, Y);
	assert_true(check());
}

/* x86-TSO's n6: a load from the own buffer, another's store to the same place in between. */
static void own_buffer(void **state)
{
	start();
	store(1, X);
	load(1, X); /* own */
	load(1, Y);
	store(2, Y);
	store(2, X);
	update(2, Y);
	update(2, X);
	update(1, X);
	/* X of 2 is overwritten by X of 1 */
	EXPECT(((uint32_t[]){ 0, 2, 3, 4 }), ((uint8_t[]){ D, B, O, B }));
	start(); /* n6 itself: X of 1 reaches memory first, and is overwritten: all in order */
	store(1, X);
	load(1, X);
	update(1, X);
	load(1, Y);
	store(2, Y);
	store(2, X);
	update(2, Y);
	update(2, X);
	assert_true(check());
	/* a load from the own buffer comes before the next write after its store only: not before others' in between */
	start();
	store(1, X);
	load(1, X);
	store(2, X);
	update(2, X);
	update(1, X);
	assert_true(check());
	/* the load is followed by a load that misses 2's flag, which 2 sets after it saw 1's X: consistent only if the own load waits */
	start();
	store(1, X);
	load(1, X);
	load(1, Y);
	store(2, Y);
	update(2, Y);
	load(2, X); /* old value */
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 2, 3, 5 }), ((uint8_t[]){ D, B, L, B }));
	/* the load is what makes the cycle: R X(own) comes before 2's X, which comes after 1's; 2 saw Z old that 1 ... */
	start();
	store(1, Z);
	store(1, X);
	load(1, X);
	load(2, Z); /* old: before 1's Z */
	load(1, V);
	store(2, V);
	update(2, V);
	update(1, Z);
	update(1, X);
	assert_true(check());
}

static void never_updated(void **state)
{
	start();
	store(1, X);
	load(1, X);
	load(1, Y);
	store(2, Y);
	update(2, Y);
	load(2, X);
	add(2, EV_DEATH, M_NONE);
	assert_true(check());
	start(); /* what reached memory counts */
	store(1, X);
	load(1, Y);
	store(1, Z);
	load(1, Z);
	store(2, Y);
	load(2, X);
	update(1, X);
	update(2, Y);
	load(2, Z);
	add(2, EV_DEATH, M_NONE);
	EXPECT(((uint32_t[]){ 0, 1, 4, 5 }), ((uint8_t[]){ D, B, D, B }));
}

static void overlapping(void **state)
{
	start(); /* four bytes stored, one of them read */
	store_by(1, AGENT(1), 16, 4);
	load(1, Y);
	store(2, Y);
	load(2, 18);
	update_by(1, AGENT(1), 16, 4);
	update(2, Y);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, D, B }));
	start(); /* the byte beside */
	store_by(1, AGENT(1), 16, 4);
	load(1, Y);
	store(2, Y);
	load(2, 20);
	update_by(1, AGENT(1), 16, 4);
	update(2, Y);
	assert_true(check());
	start(); /* across a cell */
	store_by(1, AGENT(1), 14, 4);
	load(1, Y);
	store(2, Y);
	load(2, 17);
	update_by(1, AGENT(1), 14, 4);
	update(2, Y);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, D, B }));
	/* half of the load comes from the own buffer, half from memory: 2 wrote both halves at once */
	start();
	store(1, 32);
	load_n(1, 32, 2); /* own byte, and the old one beside */
	store_by(2, AGENT(2), 32, 2);
	update_by(2, AGENT(2), 32, 2);
	update(1, 32);
	EXPECT(((uint32_t[]){ 0, 1, 2 }), ((uint8_t[]){ D, B, B }));
	/* it sees 2's half: consistent */
	start();
	store(1, 32);
	store_by(2, AGENT(2), 32, 2);
	update_by(2, AGENT(2), 32, 2);
	load_n(1, 32, 2);
	update(1, 32);
	assert_true(check());
}

/* Stores in a ring, each thread misses the next one's. */
static void long_cycles(void **state)
{
	for (thread_id n = 2; n <= 7; n++) {
		start();
		for (thread_id t = 0; t < n; t++) {
			store(t, t);
			load(t, (t + 1u) % n);
		}
		for (thread_id t = 0; t < n; t++)
			update(t, t);
		assert_false(check());
		assert_int_equal(cycle.n, 2 * n);
		for (unsigned i = 0; i < cycle.n; i++)
			assert_int_equal(cycle.step[i], i % 2 ? B : D);
		/* one of them in time and seen */
		start();
		for (thread_id t = 0; t < n; t++)
			store(t, t);
		update(1, 1);
		for (thread_id t = 0; t < n; t++)
			load(t, (t + 1u) % n);
		for (thread_id t = 0; t < n; t++)
			if (t != 1)
				update(t, t);
		assert_true(check());
	}
}

/* A cycle with more events than are listed. */
static void longer_than_stated(void **state)
{
	thread_id n = ROBUST_MOST;
	start();
	for (thread_id t = 0; t < n; t++) {
		store(t, t);
		load(t, (t + 1u) % n);
	}
	memset(updates_of, 0, sizeof(updates_of));
	for (thread_id t = 0; t < n; t++)
		bytes(add(AGENT(t), EV_UPDATE, M_WRITE), t, 1)->result = update_result(t, 0, 0);
	assert_false(check());
	assert_int_equal(cycle.n, ROBUST_MOST);
}

static void other_objects(void **state)
{
	/* 1 stores late and reads; 2 unlocks, 3 locks and looks: the order goes through the mutex */
	start();
	store(1, X);
	load(1, Y);
	on_object(2, EV_MUTEX_LOCK, M_ACQ, 1);
	write_now(2, Y);
	on_object(2, EV_MUTEX_UNLOCK, M_REL, 1);
	on_object(3, EV_MUTEX_LOCK, M_ACQ, 1);
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 3, 4, 5, 6 }), ((uint8_t[]){ D, B, O, B, O, B }));
	trace[5].obj[0] = 2; /* another mutex */
	assert_true(check());
	start(); /* through the creation of a thread */
	store(1, X);
	load(1, Y);
	write_now(2, Y);
	add(2, EV_THREAD_CREATE, M_WRITE)->seq = 3;
	add(3, EV_THREAD_START, M_NONE);
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3, 5 }), ((uint8_t[]){ D, B, O, B, B }));
	trace[3].seq = 4;
	assert_true(check());
	start(); /* a token */
	store(1, X);
	load(1, Y);
	write_now(2, Y);
	on_object(2, EV_SEM_POST, M_SEND, 1);
	trace[n_trace - 1].seq = 1;
	on_object(3, EV_SEM_WAIT, M_RECV, 1);
	trace[n_trace - 1].seq = 1;
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3, 4, 5 }), ((uint8_t[]){ D, B, O, B, O, B }));
	trace[4].seq = 2;
	assert_true(check());
	start(); /* another token in between */
	store(1, X);
	load(1, Y);
	write_now(2, Y);
	on_object(2, EV_SEM_POST, M_SEND, 1);
	trace[n_trace - 1].seq = 1;
	on_object(4, EV_SEM_POST, M_SEND, 1);
	trace[n_trace - 1].seq = 2;
	on_object(3, EV_SEM_WAIT, M_RECV, 1);
	trace[n_trace - 1].seq = 1;
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3, 5, 6 }), ((uint8_t[]){ D, B, O, B, O, B }));
}

/* A poke and the poked thread's accesses commute; what it does otherwise is ordered with it. */
static void pokes(void **state)
{
	start();
	store(1, X);
	load(1, Y);
	on_object(2, EV_THREAD_CANCEL, M_POKE, 1);
	trace[n_trace - 1].seq = 1;
	load(2, X);
	update(1, X);
	assert_true(check());
	start(); /* 3 acts late, 1 locks, then 2 pokes 1 and misses what 3 had stored */
	store(3, X);
	load(3, Y);
	write_now(1, Y);
	on_object(1, EV_MUTEX_LOCK, M_ACQ, 2);
	on_object(2, EV_THREAD_CANCEL, M_POKE, 1);
	trace[n_trace - 1].seq = 1;
	load(2, X);
	update(3, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 4, 5 }), ((uint8_t[]){ D, B, B, O, B }));
}

static void no_memory(void **state)
{
	static uint64_t room[1 << 14];
	bool unknown, seen[2] = { false, false };
	start();
	for (unsigned i = 0; i < 20; i++) {
		store(1, X);
		load(1, Y);
		store(2, Y);
		load(2, X);
		update(1, X);
		update(2, Y);
	}
	for (unsigned size = 256; size <= sizeof(room); size += 256) {
		struct arena *a = arena_init(room, size);
		bool robust = robust_check(trace, n_trace, a, &cycle, &unknown);
		assert_int_equal(robust, unknown);
		assert_int_equal(a->used - a->freed, sizeof(struct arena));
		seen[unknown] = true;
	}
	assert_true(seen[0] && seen[1]);
	start();
	load(1, X);
	assert_true(robust_check(trace, n_trace, arena_init(room, sizeof(struct arena)), NULL, &unknown));
	assert_false(unknown);
}

/* ---- size ---- */

static double seconds(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void large(void **state)
{
	double t;
	start(); /* in time */
	for (unsigned i = 0; i < 50000; i++) {
		store(i % 5, i % 100);
		update(i % 5, i % 100);
		load((i + 1) % 5, i % 100);
	}
	t = seconds();
	assert_true(check());
	assert_true(seconds() - t < 2);
	start(); /* late, all the time, and nobody minds */
	for (unsigned i = 0; i < 4000; i++) {
		thread_id me = i % 4;
		if (i >= 4)
			update(me, 16 * me);
		store(me, 16 * me);
		load(me, 100);
	}
	t = seconds();
	assert_true(check());
	assert_true(seconds() - t < 2);
	start(); /* and one cycle at the end */
	for (unsigned i = 0; i < 4000; i++) {
		thread_id me = i % 4;
		if (i >= 4)
			update(me, 16 * me);
		store(me, 16 * me);
		load(me, i < 3998 ? 100 : 16 * (me ^ 1));
	}
	for (thread_id me = 0; me < 4; me++)
		update(me, 16 * me);
	t = seconds();
	assert_false(check());
	assert_int_equal(cycle.n, 4);
	assert_true(seconds() - t < 5);
}

/* ---- random executions ---- */

#define THREADS 3
#define STEPS 6   /* of one thread */
#define BYTES 20  /* all variables together, across a cell */
#define NODES (THREADS * STEPS)
#define FIRST 6   /* bytes FIRST .. FIRST + BYTES - 1 are used */
#define INITIAL (-1)

enum what { LOADS, STORES, RMWS, FENCES, RELEASE_FENCES, LOCKS };

struct access {
	enum what what;
	unsigned at, size; /* LOCKS: at is FIRST + BYTES, a byte that stands for the mutex */
	bool release, drains, updated;
	unsigned epoch;
	int thread, trace; /* index of its event; -1: none */
	int read[BYTES + 1]; /* by byte: the node it read from */
	bool forwarded[BYTES + 1];
	int effect; /* index into the trace; of a store that is not updated MOST */
};

static struct {
	struct access a[NODES]; /* thread t has [t * STEPS, t * STEPS + n[t]) */
	int n[THREADS], pc[THREADS];
	unsigned epoch[THREADS], stores[THREADS];
	bool pso;
	int memory[BYTES + 1];              /* who wrote it last */
	int order[BYTES + 1][NODES], n_order[BYTES + 1]; /* in which order it was written */
} x;

static uint64_t seed = 0x9e3779b97f4a7c15;

static unsigned draw(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 20) % n;
}

static bool touches(const struct access *a, unsigned byte)
{
	return a->what != FENCES && a->what != RELEASE_FENCES && byte >= a->at && byte < a->at + a->size;
}

static bool writes(const struct access *a)
{
	return a->what == STORES || a->what == RMWS || a->what == LOCKS;
}

static bool reads(const struct access *a)
{
	return a->what == LOADS || a->what == RMWS || a->what == LOCKS;
}

/* Mostly one of two or three variables of four bytes; sometimes a piece of one, or some bytes around it. */
static void draw_bytes(struct access *a, unsigned variables)
{
	unsigned kind = draw(8);
	a->at = FIRST + 4 + 4 * draw(variables);
	a->size = 4;
	if (kind == 0) {
		a->at += draw(4);
		a->size = 1;
	} else if (kind == 1) {
		a->at -= 1 + draw(3);
		a->size = 1 + draw(7);
	}
}

static void draw_program(void)
{
	int threads = 2 + (int)draw(THREADS - 1);
	unsigned variables = 2 + draw(2);
	memset(&x, 0, sizeof(x));
	x.pso = draw(2);
	for (int t = 0; t < threads; t++) {
		x.n[t] = 2 + (int)draw(threads == 2 ? STEPS - 1 : STEPS - 2);
		for (int i = 0; i < x.n[t]; i++) {
			struct access *a = &x.a[t * STEPS + i];
			unsigned kind = draw(24);
			*a = (struct access){ .thread = t, .trace = -1, .effect = MOST };
			a->what = kind < 11 ? LOADS : kind < 21 ? STORES : kind == 21 ? RMWS : kind == 22 ? FENCES :
				draw(2) ? RELEASE_FENCES : LOCKS;
			a->release = a->what == STORES && draw(8) == 0;
			a->drains = a->what == STORES && draw(12) == 0;
			draw_bytes(a, variables);
			if (a->what == LOCKS) {
				a->at = FIRST + BYTES;
				a->size = 1;
			}
		}
	}
	for (unsigned b = 0; b <= BYTES; b++)
		x.memory[b] = INITIAL;
}

static bool waiting(const struct access *a)
{
	return a->what == STORES && !a->drains && a->trace >= 0 && !a->updated;
}

static bool buffer_empty(int t)
{
	for (int i = 0; i < x.pc[t]; i++)
		if (waiting(&x.a[t * STEPS + i]))
			return false;
	return true;
}

static bool overlap(const struct access *a, const struct access *b)
{
	return a->at < b->at + b->size && b->at < a->at + a->size;
}

/* May the store reach memory now? */
static bool may_update(int node)
{
	const struct access *a = &x.a[node];
	if (!waiting(a))
		return false;
	for (int i = a->thread * STEPS; i < node; i++)
		if (waiting(&x.a[i]) && (!x.pso || a->release || a->epoch != x.a[i].epoch || overlap(a, &x.a[i])))
			return false;
	return true;
}

static void reach_memory(int node)
{
	struct access *a = &x.a[node];
	for (unsigned b = 0; b <= BYTES; b++)
		if (touches(a, FIRST + b)) {
			x.memory[b] = node;
			x.order[b][x.n_order[b]++] = node;
		}
	a->effect = (int)n_trace - 1;
	a->updated = true;
}

static void read_bytes(int node)
{
	struct access *a = &x.a[node];
	for (unsigned b = 0; b <= BYTES; b++) {
		if (!touches(a, FIRST + b))
			continue;
		a->read[b] = x.memory[b];
		for (int i = a->thread * STEPS; i < node; i++)
			if (waiting(&x.a[i]) && touches(&x.a[i], FIRST + b)) {
				a->read[b] = i;
				a->forwarded[b] = true;
			}
	}
}

static thread_id agent_of(const struct access *a)
{
	return AGENT(x.pso ? a->thread * 64 + (int)a->at : a->thread);
}

static void step(int t)
{
	int node = t * STEPS + x.pc[t]++;
	struct access *a = &x.a[node];
	thread_id id = (thread_id)t;
	a->epoch = x.epoch[t];
	if (a->what == RELEASE_FENCES) { /* no event */
		x.epoch[t]++;
		return;
	}
	a->trace = (int)n_trace;
	switch (a->what) {
	case LOADS:
		read_bytes(node);
		bytes(add(id, EV_LOAD, M_READ), a->at, a->size);
		a->effect = a->trace;
		break;
	case STORES:
		if (!a->drains) {
			store_by(id, agent_of(a), a->at, a->size);
			break;
		}
		bytes(add(id, EV_STORE, M_WRITE), a->at, a->size);
		reach_memory(node);
		break;
	case RMWS:
		read_bytes(node);
		bytes(add(id, EV_RMW, M_WRITE), a->at, a->size);
		reach_memory(node);
		break;
	case LOCKS:
		read_bytes(node);
		on_object(id, EV_MUTEX_UNLOCK, M_REL, 7);
		reach_memory(node);
		break;
	case FENCES:
	case RELEASE_FENCES:
		fence(id);
		a->effect = a->trace;
		break;
	}
}

static void drain_one(int node)
{
	const struct access *a = &x.a[node];
	struct event *e = bytes(add(agent_of(a), EV_UPDATE, M_WRITE), a->at, a->size);
	unsigned number = 0;
	for (int i = a->thread * STEPS; i < node; i++)
		number += x.a[i].what == STORES && !x.a[i].drains;
	e->result = update_result((thread_id)a->thread, number, a->epoch);
	e->flags = a->release ? EVF_RELEASE : 0;
	reach_memory(node);
}

static bool may_step(int t)
{
	const struct access *a = &x.a[t * STEPS + x.pc[t]];
	if (x.pc[t] >= x.n[t])
		return false;
	return a->what == LOADS || a->what == RELEASE_FENCES || (a->what == STORES && !a->drains) || buffer_empty(t);
}

/* Runs it to the end. lazy: how seldom stores reach memory. */
static void run(unsigned lazy)
{
	for (;;) {
		int choice[THREADS + NODES], n = 0, steps;
		for (int t = 0; t < THREADS; t++)
			if (may_step(t))
				choice[n++] = t;
		steps = n;
		for (int i = 0; i < NODES; i++)
			if (may_update(i))
				choice[n++] = THREADS + i;
		if (!n)
			return;
		int c = choice[steps && (n == steps || draw(lazy)) ? (int)draw((unsigned)steps) :
			steps + (int)draw((unsigned)(n - steps))];
		if (c < THREADS)
			step(c);
		else
			drain_one(c - THREADS);
	}
}

/* ---- brute force ---- */

static bool may_follow(const int pc[THREADS], int node)
{
	const struct access *a = &x.a[node];
	for (unsigned b = 0; b <= BYTES; b++) {
		int done = 0;
		if (!touches(a, FIRST + b))
			continue;
		/* how many of the writes of this byte were made: they must be the first ones */
		for (int t = 0; t < THREADS; t++)
			for (int i = t * STEPS; i < t * STEPS + pc[t]; i++)
				done += writes(&x.a[i]) && touches(&x.a[i], FIRST + b);
		if (reads(a) && a->read[b] != (done ? x.order[b][done - 1] : INITIAL))
			return false;
		if (writes(a) && x.order[b][done] != node)
			return false;
	}
	return true;
}

/* Is there an interleaving from here? What the threads have done says what memory holds, so each state is looked at once. */
static bool interleaving(int pc[THREADS], bool *seen)
{
	bool over = true;
	size_t state = 0;
	for (int t = 0; t < THREADS; t++) {
		state = state * (STEPS + 1) + (size_t)pc[t];
		over = over && pc[t] == x.n[t];
	}
	if (over)
		return true;
	if (seen[state])
		return false;
	seen[state] = true;
	for (int t = 0; t < THREADS; t++) {
		if (pc[t] == x.n[t] || !may_follow(pc, t * STEPS + pc[t]))
			continue;
		pc[t]++;
		if (interleaving(pc, seen))
			return true;
		pc[t]--;
	}
	return false;
}

static int place_in_order(unsigned byte, int node)
{
	for (int i = 0; i < x.n_order[byte]; i++)
		if (x.order[byte][i] == node)
			return i;
	return -1;
}

/* Does a come before b by the byte: read from, overwritten, read before it was overwritten? */
static bool before_by_byte(const struct access *a, int na, const struct access *b, int nb, unsigned byte)
{
	if (writes(a) && writes(b))
		return place_in_order(byte, na) < place_in_order(byte, nb);
	if (writes(a) && reads(b)) /* what comes before the own store that is read from the buffer is left to that store */
		return !b->forwarded[byte] && place_in_order(byte, na) <= place_in_order(byte, b->read[byte]);
	if (reads(a) && writes(b))
		return place_in_order(byte, a->read[byte]) < place_in_order(byte, nb);
	return false;
}

static bool before(int na, int nb)
{
	const struct access *a = &x.a[na], *b = &x.a[nb];
	if (a->trace < 0 || b->trace < 0 || na == nb)
		return false;
	if (a->thread == b->thread)
		return na < nb;
	for (unsigned byte = 0; byte <= BYTES; byte++)
		if (touches(a, FIRST + byte) && touches(b, FIRST + byte) && before_by_byte(a, na, b, nb, byte))
			return true;
	return false;
}

static bool exists(int node)
{
	return node % STEPS < x.n[node / STEPS];
}

/* The length of a smallest cycle; 0: none. */
static unsigned smallest_cycle(void)
{
	static bool edge[NODES][NODES];
	unsigned best = 0;
	for (int a = 0; a < NODES; a++)
		for (int b = 0; b < NODES; b++)
			edge[a][b] = exists(a) && exists(b) && before(a, b);
	for (int from = 0; from < NODES; from++) {
		bool at[NODES] = { false };
		at[from] = true;
		for (unsigned n = 1; n <= NODES && (!best || n < best); n++) {
			bool next[NODES] = { false };
			for (int a = 0; a < NODES; a++)
				for (int b = 0; at[a] && b < NODES; b++)
					next[b] |= edge[a][b];
			memcpy(at, next, sizeof(at));
			if (at[from])
				best = n;
		}
	}
	return best;
}

static int node_of(uint32_t index)
{
	for (int i = 0; i < NODES; i++)
		if (exists(i) && x.a[i].trace == (int)index)
			return i;
	fail();
	return 0;
}

static void check_cycle(void)
{
	unsigned delayed = 0;
	for (unsigned i = 0; i < cycle.n; i++) {
		int a = node_of(cycle.event[i]), b = node_of(cycle.event[(i + 1) % cycle.n]);
		assert_true(before(a, b));
		assert_int_equal(x.a[a].thread != x.a[b].thread, cycle.step[i] == ROBUST_BEFORE);
		if (x.a[a].thread == x.a[b].thread)
			assert_int_equal(x.a[a].effect > x.a[b].effect, cycle.step[i] == ROBUST_DELAYED);
		delayed += cycle.step[i] == ROBUST_DELAYED;
	}
	assert_true(delayed > 0);
	assert_int_equal(cycle.step[0], ROBUST_DELAYED);
}

static void random_executions(void **state)
{
	unsigned answers[2][2] = { { 0 } }, mixed = 0;
	for (unsigned i = 0; i < 60000; i++) {
		int pc[THREADS] = { 0 };
		bool seen[(STEPS + 1) * (STEPS + 1) * (STEPS + 1)] = { false };
		start();
		draw_program();
		run(1 + draw(5));
		bool robust = interleaving(pc, seen);
		assert_int_equal(check(), robust);
		assert_int_equal(smallest_cycle(), cycle.n);
		if (!robust)
			check_cycle();
		answers[x.pso][robust]++;
		mixed += cycle.n % 2;
	}
	for (unsigned pso = 0; pso < 2; pso++)
		for (unsigned robust = 0; robust < 2; robust++)
			assert_true(answers[pso][robust] > 1000);
	assert_true(mixed > 100);
}

/* ---- executions of the world ---- */

static struct toy toy;

/* Steps of threads are preferred to updates, in some executions more than in others. */
static int any_choice(void *ctx, const struct sched_view *view)
{
	const unsigned *lazy = ctx;
	unsigned i = draw(view->n);
	for (unsigned k = 0; k < *lazy && is_agent(view->choices[i].thread); k++)
		i = draw(view->n);
	return (int)i;
}

static void toy_programs(void **state)
{
	unsigned answers[3][2] = { { 0 } }, programs = 0;
	for (uint64_t i = 0; programs < 600; i++) {
		struct toy_program p;
		struct toy_set sc = { 0 };
		struct weak_search search = { .model = MODEL_SC, .most = 3000 };
		weak_random(&p, 5, i);
		p.model = MODEL_SC;
		weak_traces(&p, &search, &sc);
		for (unsigned k = 0; k < 60 && search.complete; k++) {
			struct arena *a = arena_init(scratch.room, sizeof(scratch.room));
			unsigned lazy = k % 4 * 8;
			bool unknown, robust;
			p.model = k % 2 ? MODEL_TSO : MODEL_PSO;
			toy_init(&toy, &p);
			assert_true(toy_execute(&toy, any_choice, NULL, &lazy) <= RUN_DEADLOCK);
			robust = robust_check(toy.trace.event, toy.trace.n, a, &cycle, &unknown);
			assert_false(unknown);
			if (robust != toy_set_has(&sc, toy_weak_hash(&toy, false)))
				toy_print(&p);
			assert_int_equal(robust, toy_set_has(&sc, toy_weak_hash(&toy, false)));
			answers[p.model][robust]++;
		}
		programs += search.complete;
		toy_set_clear(&sc);
	}
	for (unsigned m = MODEL_TSO; m <= MODEL_PSO; m++)
		print_message("%s: %u of %u traces are sequentially consistent\n", memory_model_text(m), answers[m][1],
			answers[m][0] + answers[m][1]);
	for (unsigned m = MODEL_TSO; m <= MODEL_PSO; m++)
		assert_true(answers[m][0] > 200 && answers[m][1] > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(store_buffering),
		cmocka_unit_test(fenced),
		cmocka_unit_test(message_passing),
		cmocka_unit_test(two_writes),
		cmocka_unit_test(readers_agree),
		cmocka_unit_test(own_buffer),
		cmocka_unit_test(never_updated),
		cmocka_unit_test(overlapping),
		cmocka_unit_test(long_cycles),
		cmocka_unit_test(longer_than_stated),
		cmocka_unit_test(other_objects),
		cmocka_unit_test(pokes),
		cmocka_unit_test(no_memory),
		cmocka_unit_test(large),
		cmocka_unit_test(random_executions),
		cmocka_unit_test(toy_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
