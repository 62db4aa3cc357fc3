/* Robustness: hand-made traces whose answer is known from the literature, and large traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib_robust.h"

static void load(thread_id t, unsigned at)
{
	trace_bytes(trace_add(t, EV_LOAD, M_READ), at, 1);
}

static void load_n(thread_id t, unsigned at, unsigned size)
{
	trace_bytes(trace_add(t, EV_LOAD, M_READ), at, size);
}

/* TSO: one agent per thread. */
static void store(thread_id t, unsigned at)
{
	trace_store_by(t, TRACED_AGENT(t), at, 1);
}

static uint32_t updates_of[8];

static struct event *update_by(thread_id t, thread_id agent, unsigned at, unsigned size)
{
	struct event *e = trace_bytes(trace_add(agent, EV_UPDATE, M_WRITE), at, size);
	e->result = update_result(t, updates_of[t]++, 0);
	return e;
}

static void update(thread_id t, unsigned at)
{
	update_by(t, TRACED_AGENT(t), at, 1);
}

/* PSO: an agent per thread and byte. */
static void pstore(thread_id t, unsigned at)
{
	trace_store_by(t, TRACED_AGENT(t * 64 + at), at, 1);
}

static void pupdate(thread_id t, unsigned at)
{
	update_by(t, TRACED_AGENT(t * 64 + at), at, 1);
}

/* A store that goes straight to memory. */
static void write_now(thread_id t, unsigned at)
{
	trace_bytes(trace_add(t, EV_STORE, M_WRITE), at, 1);
}

static void rmw(thread_id t, unsigned at)
{
	trace_bytes(trace_add(t, EV_RMW, M_WRITE), at, 1);
}

static void fence(thread_id t)
{
	trace_add(t, EV_FENCE, M_NONE);
}

/* ---- checking ---- */

static void start(void)
{
	trace_start();
	memset(updates_of, 0, sizeof(updates_of));
}

/* The expected cycle: event indices and steps. */
static void expect(unsigned n, const uint32_t *event, const uint8_t *step)
{
	assert_false(trace_is_robust());
	assert_int_equal(trace_cycle.n, n);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(trace_cycle.event[i], event[i]);
		assert_int_equal(trace_cycle.step[i], step[i]);
	}
}
#define EXPECT(events, steps) expect(sizeof(events) / sizeof(uint32_t), events, steps)

enum { B = ROBUST_BEFORE, O = ROBUST_ORDER, L = ROBUST_LOOSE, D = ROBUST_DELAYED };
enum { X, Y, Z, V }; /* variables: a byte each */

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
	/* only one of them is late: the same outcome */
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
	/* one load reads the other thread's store */
	start();
	store(1, X);
	load(1, Y);
	store(2, Y);
	update(1, X);
	load(2, X);
	update(2, Y);
	assert_true(trace_is_robust());
	/* late, but no load missed it */
	start();
	store(1, X);
	load(1, Y);
	load(1, Z);
	update(1, X);
	load(2, X);
	assert_true(trace_is_robust());
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
	assert_true(trace_is_robust());
	start();
	write_now(1, X);
	load(1, Y);
	write_now(2, Y);
	load(2, X);
	assert_true(trace_is_robust());
	/* events that drain ignore stores without an update in between */
	start();
	rmw(1, X);
	store(1, Y);
	load(1, Z);
	rmw(2, Z);
	update(1, Y);
	load(2, Y);
	assert_true(trace_is_robust());
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
	assert_true(trace_is_robust());
	start(); /* TSO */
	store(1, X);
	store(1, Y);
	update(1, X);
	update(1, Y);
	load(2, Y);
	load(2, X);
	assert_true(trace_is_robust());
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
	for (uint32_t i = 0; i < n_traced; i++) /* the second thread's Y is a release: X must not overtake it, nor Y overtake X */
		if (traced[i].kind == EV_UPDATE && update_owner(&traced[i]) == 2)
			traced[i].flags |= EVF_RELEASE;
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, O, B }));
}

static void readers_agree(void **state)
{
	start(); /* IRIW: both writes are late, and both readers see them in the same order */
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
	assert_true(trace_is_robust());
}

/* x86-TSO's test n6: a thread loads from its own buffer, and another thread stores to the same place in between. */
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
	start(); /* n6 itself: X of 1 reaches memory first and is overwritten, so all is in order */
	store(1, X);
	load(1, X);
	update(1, X);
	load(1, Y);
	store(2, Y);
	store(2, X);
	update(2, Y);
	update(2, X);
	assert_true(trace_is_robust());
	/* a load from the own buffer precedes only writes after its own store, not another thread's write before that store */
	start();
	store(1, X);
	load(1, X);
	store(2, X);
	update(2, X);
	update(1, X);
	assert_true(trace_is_robust());
	/* store buffering, with a load from the own buffer in between: 1 misses 2's Y, and 2 misses 1's X */
	start();
	store(1, X);
	load(1, X);
	load(1, Y);
	store(2, Y);
	update(2, Y);
	load(2, X); /* old value */
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 2, 3, 5 }), ((uint8_t[]){ D, B, L, B }));
	/* the load from the own buffer closes no cycle: 2's load of Z comes first, 2's store to V last */
	start();
	store(1, Z);
	store(1, X);
	load(1, X);
	load(2, Z); /* old value: before 1's Z */
	load(1, V);
	store(2, V);
	update(2, V);
	update(1, Z);
	update(1, X);
	assert_true(trace_is_robust());
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
	trace_add(2, EV_DEATH, M_NONE);
	assert_true(trace_is_robust());
	start(); /* the store reached memory, so it counts */
	store(1, X);
	load(1, Y);
	store(1, Z);
	load(1, Z);
	store(2, Y);
	load(2, X);
	update(1, X);
	update(2, Y);
	load(2, Z);
	trace_add(2, EV_DEATH, M_NONE);
	EXPECT(((uint32_t[]){ 0, 1, 4, 5 }), ((uint8_t[]){ D, B, D, B }));
}

static void overlapping(void **state)
{
	start(); /* four bytes are stored, one of them is read */
	trace_store_by(1, TRACED_AGENT(1), 16, 4);
	load(1, Y);
	store(2, Y);
	load(2, 18);
	update_by(1, TRACED_AGENT(1), 16, 4);
	update(2, Y);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, D, B }));
	start(); /* the neighbouring byte */
	trace_store_by(1, TRACED_AGENT(1), 16, 4);
	load(1, Y);
	store(2, Y);
	load(2, 20);
	update_by(1, TRACED_AGENT(1), 16, 4);
	update(2, Y);
	assert_true(trace_is_robust());
	start(); /* across two cells */
	trace_store_by(1, TRACED_AGENT(1), 14, 4);
	load(1, Y);
	store(2, Y);
	load(2, 17);
	update_by(1, TRACED_AGENT(1), 14, 4);
	update(2, Y);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3 }), ((uint8_t[]){ D, B, D, B }));
	/* half of the load comes from the own buffer, half from memory; 2 wrote both halves at once */
	start();
	store(1, 32);
	load_n(1, 32, 2); /* own byte, and the old byte beside it */
	trace_store_by(2, TRACED_AGENT(2), 32, 2);
	update_by(2, TRACED_AGENT(2), 32, 2);
	update(1, 32);
	EXPECT(((uint32_t[]){ 0, 1, 2 }), ((uint8_t[]){ D, B, B }));
	/* it reads 2's half: consistent */
	start();
	store(1, 32);
	trace_store_by(2, TRACED_AGENT(2), 32, 2);
	update_by(2, TRACED_AGENT(2), 32, 2);
	load_n(1, 32, 2);
	update(1, 32);
	assert_true(trace_is_robust());
}

/* Stores in a ring: each thread misses the store of the next. */
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
		assert_false(trace_is_robust());
		assert_int_equal(trace_cycle.n, 2 * n);
		for (unsigned i = 0; i < trace_cycle.n; i++)
			assert_int_equal(trace_cycle.step[i], i % 2 ? B : D);
		/* one store is in time and is read */
		start();
		for (thread_id t = 0; t < n; t++)
			store(t, t);
		update(1, 1);
		for (thread_id t = 0; t < n; t++)
			load(t, (t + 1u) % n);
		for (thread_id t = 0; t < n; t++)
			if (t != 1)
				update(t, t);
		assert_true(trace_is_robust());
	}
}

/* A cycle with more events than the result lists. */
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
		trace_bytes(trace_add(TRACED_AGENT(t), EV_UPDATE, M_WRITE), t, 1)->result = update_result(t, 0, 0);
	assert_false(trace_is_robust());
	assert_int_equal(trace_cycle.n, ROBUST_MOST);
}

static void other_objects(void **state)
{
	/* 1 stores late and reads; 2 unlocks, then 3 locks and reads: the order goes through the mutex */
	start();
	store(1, X);
	load(1, Y);
	trace_on_object(2, EV_MUTEX_LOCK, M_ACQ, 1);
	write_now(2, Y);
	trace_on_object(2, EV_MUTEX_UNLOCK, M_REL, 1);
	trace_on_object(3, EV_MUTEX_LOCK, M_ACQ, 1);
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 3, 4, 5, 6 }), ((uint8_t[]){ D, B, O, B, O, B }));
	traced[5].obj[0] = 2; /* another mutex */
	assert_true(trace_is_robust());
	start(); /* order through the creation of a thread */
	store(1, X);
	load(1, Y);
	write_now(2, Y);
	trace_add(2, EV_THREAD_CREATE, M_WRITE)->seq = 3;
	trace_add(3, EV_THREAD_START, M_NONE);
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3, 5 }), ((uint8_t[]){ D, B, O, B, B }));
	traced[3].seq = 4;
	assert_true(trace_is_robust());
	start(); /* order through a token */
	store(1, X);
	load(1, Y);
	write_now(2, Y);
	trace_on_object(2, EV_SEM_POST, M_SEND, 1);
	traced[n_traced - 1].seq = 1;
	trace_on_object(3, EV_SEM_WAIT, M_RECV, 1);
	traced[n_traced - 1].seq = 1;
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3, 4, 5 }), ((uint8_t[]){ D, B, O, B, O, B }));
	traced[4].seq = 2;
	assert_true(trace_is_robust());
	start(); /* another token in between */
	store(1, X);
	load(1, Y);
	write_now(2, Y);
	trace_on_object(2, EV_SEM_POST, M_SEND, 1);
	traced[n_traced - 1].seq = 1;
	trace_on_object(4, EV_SEM_POST, M_SEND, 1);
	traced[n_traced - 1].seq = 2;
	trace_on_object(3, EV_SEM_WAIT, M_RECV, 1);
	traced[n_traced - 1].seq = 1;
	load(3, X);
	update(1, X);
	EXPECT(((uint32_t[]){ 0, 1, 2, 3, 5, 6 }), ((uint8_t[]){ D, B, O, B, O, B }));
}

/* A poke commutes with the poked thread's accesses; its other events are ordered with it. */
static void pokes(void **state)
{
	start();
	store(1, X);
	load(1, Y);
	trace_on_object(2, EV_THREAD_CANCEL, M_POKE, 1);
	traced[n_traced - 1].seq = 1;
	load(2, X);
	update(1, X);
	assert_true(trace_is_robust());
	start(); /* 3's store is late; 1 locks, then 2 pokes 1 and misses what 3 stored */
	store(3, X);
	load(3, Y);
	write_now(1, Y);
	trace_on_object(1, EV_MUTEX_LOCK, M_ACQ, 2);
	trace_on_object(2, EV_THREAD_CANCEL, M_POKE, 1);
	traced[n_traced - 1].seq = 1;
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
		bool robust = robust_check(traced, n_traced, a, &trace_cycle, &unknown);
		assert_int_equal(robust, unknown);
		assert_int_equal(a->used - a->freed, sizeof(struct arena));
		seen[unknown] = true;
	}
	assert_true(seen[0] && seen[1]);
	start();
	load(1, X);
	assert_true(robust_check(traced, n_traced, arena_init(room, sizeof(struct arena)), NULL, &unknown));
	assert_false(unknown);
}

/* ---- size ---- */

/* A quadratic search would exceed the time limit of the test. */
static void large(void **state)
{
	start(); /* updates follow their stores at once */
	for (unsigned i = 0; i < 50000; i++) {
		store(i % 5, i % 100);
		update(i % 5, i % 100);
		load((i + 1) % 5, i % 100);
	}
	assert_true(trace_is_robust());
	start(); /* updates are late, but no load notices */
	for (unsigned i = 0; i < 4000; i++) {
		thread_id me = i % 4;
		if (i >= 4)
			update(me, 16 * me);
		store(me, 16 * me);
		load(me, 100);
	}
	assert_true(trace_is_robust());
	start(); /* the same with one cycle at the end */
	for (unsigned i = 0; i < 4000; i++) {
		thread_id me = i % 4;
		if (i >= 4)
			update(me, 16 * me);
		store(me, 16 * me);
		load(me, i < 3998 ? 100 : 16 * (me ^ 1));
	}
	for (thread_id me = 0; me < 4; me++)
		update(me, 16 * me);
	assert_false(trace_is_robust());
	assert_int_equal(trace_cycle.n, 4);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
