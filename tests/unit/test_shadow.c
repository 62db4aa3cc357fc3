/*
 * The shadow: random accesses and synchronisation of several threads, compared with a list of all earlier accesses. Exactly the bytes with two
 * unordered conflicting accesses become shared, and exactly the racing events are reported.
 *
 * The library's own code is compiled in, with stubs for the rest of the library. SEED=n starts there; SHADOW_RUNS=n sets the number of runs.
 */
#define SESSION_NO_TARGET_RUNS /* this test makes a session, and contains code of the target */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <cmocka.h>

#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_shadow.h"
#include "tests/unit/lib_walk.h"

/* ---- threads and events ---- */

static unsigned reports;
static struct past reported[1024];

void races_report(const struct past *first, const struct past *second, uint64_t addr, uint64_t size)
{
	assert_true(reports < 1024);
	assert_true(addr && size);
	reported[reports++] = *first;
}

static void runs(thread_id t)
{
	fiber_cur = &fibers[t];
	fibers[t].id = t;
}

static void event(thread_id t, unsigned kind, unsigned mode, object_id o)
{
	struct event e = { .thread = t, .kind = (uint8_t)kind, .mode = { (uint8_t)mode }, .obj = { o } };
	hb_event(ctl_hb, &e);
	ctl_trace.n++;
}

static int fresh(void **state)
{
	static bool started;
	segment.session.layout.memory_off = offsetof(typeof(segment), table);
	segment.session.config.mode = MODE_EXPLORE;
	memset(&segment.table, 0, sizeof segment.table);
	ctl_hb = hb_init(arena_init(arena_memory, sizeof arena_memory), MODEL_SC);
	ctl_trace.n++;
	if (!started)
		shadow_init();
	started = true;
	/* start again, as in a new process */
	for (uint32_t leaf = 1; leaf < table_used; leaf++)
		for (unsigned page = 0; page < 4096; page++)
			if (table_in(table_maps[leaf].touched, page * 4096))
				memset(table_record(leaf, page * 4096), 0, 4096);
	memset(table_maps, 0, table_used * sizeof *table_maps);
	shadow_history.used = shadow_history.empty = 0;
	shadow_readers.used = 0;
	memset(shadow_readers.bucket, 0, sizeof shadow_readers.bucket);
	applied = 0;
	mem_budget = MEM_BUDGET;
	reports = 0;
	runs(0);
	return 0;
}

/* ---- hand-made cases ---- */

#define AT UINT64_C(0x7f1234567000)

static bool shared(uint64_t addr)
{
	memory_apply(&segment.table);
	return memory_is_shared(&segment.table, addr, 1);
}

static void by(thread_id t, uint64_t addr, uint64_t size, unsigned flags)
{
	runs(t);
	assert_false(mem_note(addr, size, flags));
}

static void conflicts_are_found(void **state)
{
	by(1, AT, 4, MEM_WRITE);
	by(2, AT + 4, 4, MEM_WRITE); /* neighbouring bytes */
	by(2, AT + 8, 8, MEM_READ);
	by(1, AT + 8, 8, MEM_READ);
	assert_int_equal(segment.table.n, 0);
	by(2, AT + 3, 2, MEM_READ);
	assert_true(shared(AT + 3));
	assert_false(shared(AT + 4) || shared(AT + 2));
	by(3, AT + 10, 1, MEM_WRITE);
	assert_true(shared(AT + 10));
	assert_false(shared(AT + 9) || shared(AT + 11));
}

static void ordered_accesses_do_not_conflict(void **state)
{
	by(1, AT, 8, MEM_WRITE);
	event(1, EV_MUTEX_UNLOCK, M_REL, 5);
	by(1, AT + 8, 8, MEM_READ);
	event(2, EV_MUTEX_LOCK, M_ACQ, 5);
	by(2, AT, 8, MEM_READ);
	by(2, AT + 2, 2, MEM_WRITE);
	assert_int_equal(segment.table.n, 0);
	by(2, AT + 15, 1, MEM_WRITE); /* after the unlock */
	assert_true(shared(AT + 15));
}

/* When a new reader takes the entry, the earlier readers must not be forgotten. */
static void readers_are_remembered(void **state)
{
	by(1, AT, 8, MEM_READ);
	by(2, AT, 8, MEM_READ);
	by(3, AT, 8, MEM_READ);
	event(3, EV_MUTEX_UNLOCK, M_REL, 5);
	event(2, EV_MUTEX_LOCK, M_ACQ, 5);
	event(2, EV_MUTEX_UNLOCK, M_REL, 6);
	event(4, EV_MUTEX_LOCK, M_ACQ, 6);
	by(4, AT + 1, 1, MEM_WRITE); /* after T2 and T3, not after T1 */
	assert_true(shared(AT + 1));
}

/* What a reader learns after its read must not order another thread's read before that read. */
static void a_reader_that_acquires_hides_no_other_reader(void **state)
{
	by(2, AT, 8, MEM_READ);
	event(2, EV_MUTEX_UNLOCK, M_REL, 5);
	by(1, AT, 8, MEM_READ);
	event(1, EV_MUTEX_UNLOCK, M_REL, 6);
	event(2, EV_MUTEX_LOCK, M_ACQ, 6);
	event(4, EV_MUTEX_LOCK, M_ACQ, 5);
	by(4, AT, 8, MEM_WRITE); /* after the read by T2, not after that by T1 */
	assert_true(shared(AT));
}

static void marks_make_events(void **state)
{
	by(1, AT, 4, MEM_WRITE);
	by(2, AT, 4, MEM_WRITE);
	runs(2);
	shadow_apply();
	assert_false(mem_note(AT, 4, MEM_READ)); /* the running execution does not change */
	memory_apply(&segment.table);
	shadow_apply();
	assert_true(mem_note(AT, 4, MEM_READ));
	assert_true(mem_note(AT - 1, 2, MEM_READ));
	assert_false(mem_note(AT + 4, 4, MEM_READ));
	assert_true(mem_note(AT - 5000, 10000, MEM_READ));
	by(2, AT - 5000, 5000, MEM_WRITE);
}

static void forgotten_memory_is_new(void **state)
{
	by(1, AT, 10000, MEM_WRITE);
	by(1, AT + 20000, 8, MEM_WRITE);
	shadow_forget(AT + 3, 9990);
	by(2, AT + 3, 9990, MEM_WRITE);
	assert_int_equal(segment.table.n, 0);
	by(2, AT + 2, 1, MEM_READ);
	by(2, AT + 9993, 1, MEM_READ);
	assert_true(shared(AT + 2) && shared(AT + 9993)); /* now */
	shadow_apply();
	shadow_forget(AT, 10000);
	assert_true(mem_note(AT + 2, 1, MEM_READ)); /* shared memory stays shared */
	shadow_forget(AT, UINT64_C(1) << 40);       /* memory that was never accessed costs nothing */
}

static void a_forced_schedule_discovers_nothing(void **state)
{
	segment.session.config.mode = MODE_FORCED;
	by(1, AT, 8, MEM_WRITE);
	by(2, AT, 8, MEM_WRITE);
	shadow_event(3, AT, 8, MEM_WRITE, 1);
	assert_false(shadow_share(AT, 8));
	assert_int_equal(segment.table.n, 0);
	memory_share(&segment.table, AT, 1);
	shadow_apply();
	assert_true(mem_note(AT, 8, MEM_WRITE));
}

/* In a forced schedule, bytes that became shared in the middle of the recorded execution become so again. */
static void a_forced_schedule_shares_again(void **state)
{
	segment.session.config.mode = MODE_FORCED;
	memory_discover(&segment.table, AT, 4);
	shadow_apply();
	assert_false(mem_note(AT, 4, MEM_READ));
	assert_true(shadow_share(AT, 8));
	assert_false(shadow_share(AT, 8));
	assert_true(mem_note(AT, 4, MEM_READ));
	assert_false(mem_note(AT + 4, 4, MEM_READ));
}

/* Also bytes that were to become shared after the execution. */
static void spinning_is_shared_at_once_after_a_conflict(void **state)
{
	by(1, AT, 4, MEM_WRITE);
	by(2, AT, 4, MEM_READ);
	assert_false(mem_note(AT, 4, MEM_READ));
	assert_true(shadow_share(AT, 4));
	assert_true(mem_note(AT, 4, MEM_READ));
}

static void spinning_is_shared_at_once(void **state)
{
	by(1, AT, 4, MEM_READ);
	assert_true(shadow_share(AT, 4));
	assert_false(shadow_share(AT, 4));
	assert_true(mem_note(AT, 1, MEM_READ));
	assert_false(mem_note(AT + 4, 1, MEM_READ));
}

static void the_budget_asks_for_a_probe(void **state)
{
	mem_budget = 3;
	by(1, AT, 1, MEM_READ);
	by(1, AT, 1, MEM_READ);
	assert_true(mem_note(AT, 1, MEM_READ));
	assert_true(mem_note(AT, 100, MEM_READ));
	mem_budget = 1000;
	uint64_t writes = mem_writes;
	mem_stack_lo = AT;
	mem_stack_hi = AT + 100;
	by(1, AT, 1, MEM_WRITE);
	by(1, AT + 100, 1, MEM_READ);
	assert_int_equal(mem_writes, writes);
	by(1, AT + 100, 1, MEM_WRITE);
	by(1, AT - 1, 1, MEM_READ | MEM_WRITE);
	assert_int_equal(mem_writes, writes + 2);
	assert_false(mem_note(UINT64_MAX - 3, 8, MEM_READ)); /* this access will crash */
	assert_false(mem_note(UINT64_C(0x8000000000000000), 8, MEM_READ));
	assert_false(mem_note((UINT64_C(1) << 47) - 4, 8, MEM_READ));
	ctl_inside = 1;
	assert_false(mem_note(AT - 1, 1, MEM_READ | MEM_WRITE));
	ctl_inside = 0;
	assert_int_equal(mem_writes, writes + 2);
}

static void races_are_reported(void **state)
{
	memory_share(&segment.table, AT, 8);
	shadow_apply();
	shadow_event(1, AT, 8, MEM_WRITE | MEM_ATOMIC, 0x11);
	shadow_event(2, AT, 8, MEM_WRITE | MEM_ATOMIC, 0x22);
	assert_int_equal(reports, 0);
	shadow_event(3, AT + 7, 1, MEM_READ | MEM_PLAIN, 0x33); /* it races with both, though only one of them is the last write */
	assert_int_equal(reports, 2);
	shadow_event(3, AT, 1, MEM_READ | MEM_ATOMIC, 0x34);
	assert_int_equal(reports, 2);
	shadow_event(2, AT, 1, MEM_WRITE, 0x23); /* a mov: may be plain */
	assert_int_equal(reports, 4);
	assert_true(reported[2].pc == 0x34 || reported[3].pc == 0x34);
}

/* ---- compared with all earlier accesses ---- */

#define SPAN 48u /* bytes */
#define ACTS 400u

struct act {
	thread_id thread;
	uint32_t epoch;
	unsigned first, size, flags;
	bool event;
	bool marked[SPAN]; /* at that time */
};
static struct act acts[ACTS];
static unsigned n_acts;
static bool must_share[SPAN], marked[SPAN];

static bool overlap(const struct act *a, unsigned byte)
{
	return a->first <= byte && byte < a->first + a->size;
}

static bool unordered(const struct act *a, const struct act *b)
{
	return a->thread != b->thread && hb_seen(ctl_hb, b->thread, a->thread) < a->epoch &&
	       ((a->flags | b->flags) & MEM_WRITE);
}

/* Computes the effect of the newest access. Returns whether it races with an earlier event at a byte that was already marked. */
static bool judge(void)
{
	const struct act *b = &acts[n_acts - 1];
	bool race = false;
	for (unsigned i = 0; i + 1 < n_acts; i++)
		for (unsigned x = 0; x < SPAN; x++) {
			const struct act *a = &acts[i];
			if (!overlap(a, x) || !overlap(b, x) || !unordered(a, b))
				continue;
			must_share[x] = true;
			race |= a->marked[x] && a->event && b->event && !(a->flags & b->flags & MEM_ATOMIC);
		}
	return race;
}

static void check_shared(uint64_t base, unsigned long long seed)
{
	for (unsigned x = 0; x < SPAN; x++)
		if (shared(base + x) != must_share[x])
			fail_msg("seed %llu, access %u: byte %u is%s shared", seed, n_acts - 1, x, must_share[x] ? " not" : "");
}

/* Returns whether a race was reported with an earlier event at a byte that was marked at that time. The pc of an event is its number, from 1. */
static bool reported_race(void)
{
	const struct act *b = &acts[n_acts - 1];
	bool race = false;
	for (unsigned i = 0; i < reports; i++) {
		const struct act *a = &acts[reported[i].pc - 1];
		bool real = false;
		for (unsigned x = 0; x < SPAN; x++) {
			bool here = overlap(a, x) && overlap(b, x) && unordered(a, b);
			real |= here;
			race |= here && a->marked[x];
		}
		assert_true(real && a->event && !(a->flags & b->flags & MEM_ATOMIC));
	}
	return race;
}

static void access_at_random(uint64_t base, thread_id t, uint64_t *r, unsigned long long seed)
{
	static const unsigned kinds[4] = { MEM_READ, MEM_READ, MEM_WRITE, MEM_READ | MEM_WRITE };
	static const unsigned atomic[3] = { 0, MEM_ATOMIC, MEM_PLAIN };
	static const unsigned sizes[8] = { 1, 2, 4, 4, 8, 8, 16, 0 };
	struct act *a = &acts[n_acts++];
	a->size = sizes[walk_random(r) % 8];
	if (!a->size)
		a->size = 1 + (unsigned)(walk_random(r) % 30);
	a->first = (unsigned)(walk_random(r) % (SPAN - a->size + 1));
	if (walk_random(r) % 2 && a->size < 9)
		a->first &= ~(a->size - 1);
	a->flags = kinds[walk_random(r) % 4] | atomic[walk_random(r) % 3];
	if (seed % 3 == 1 && walk_random(r) % 8) { /* whole words, mostly read */
		a->size = 8;
		a->first = (unsigned)(walk_random(r) % 4 * 8) + (unsigned)(-base & 7);
		a->flags = MEM_READ;
	}
	a->thread = t;
	a->epoch = hb_epoch(ctl_hb, t);
	memcpy(a->marked, marked, sizeof marked);
	bool expected = false;
	for (unsigned x = 0; x < a->size; x++)
		expected |= marked[a->first + x];
	runs(t);
	a->event = mem_note(base + a->first, a->size, a->flags);
	/* an access across a page boundary is recorded twice when only one page is marked; only the event counts */
	assert_int_equal(a->event, expected);
	reports = 0;
	if (a->event)
		shadow_event(t, base + a->first, a->size, a->flags, n_acts);
	if (judge() != reported_race())
		fail_msg("seed %llu, access %u: %u races reported", seed, n_acts - 1, reports);
	check_shared(base, seed);
}

static void run(unsigned long long seed)
{
	static const thread_id some[2][5] = { { 0, 1, 2, 3, 4 }, { 0, 1, 255, 256, 400 } };
	static const uint64_t bases[4] = { AT, AT + 4, AT + 4096 - 20, AT + 9 };
	uint64_t r = seed * 1234567, base = bases[seed % 4];
	const thread_id *ids = some[seed % 3 == 0];
	unsigned threads = 2 + (unsigned)(walk_random(&r) % 4), often = 2 + (unsigned)(walk_random(&r) % 9);
	fresh(NULL);
	n_acts = 0;
	memset(must_share, 0, sizeof must_share);
	memset(marked, 0, sizeof marked);
	if (seed % 5 == 0) /* epochs that are about to overflow */
		while (hb_epoch(ctl_hb, 1) < EPOCHS - 5)
			event(1, EV_MUTEX_UNLOCK, M_REL, 9);
	while (n_acts < 200) {
		thread_id t = ids[walk_random(&r) % threads];
		unsigned what = (unsigned)(walk_random(&r) % often);
		object_id o = (object_id)(5 + walk_random(&r) % 3);
		if (what)
			access_at_random(base, t, &r, seed);
		else if (walk_random(&r) % 2)
			event(t, EV_MUTEX_UNLOCK, M_REL, o);
		else
			event(t, EV_MUTEX_LOCK, M_ACQ, o);
		if (walk_random(&r) % 100 == 0) {
			shadow_apply();
			memcpy(marked, must_share, sizeof marked);
		}
	}
}

static uint64_t number_from(const char *name, uint64_t usual)
{
	const char *s = getenv(name);
	return s ? strtoull(s, NULL, 0) : usual;
}

static void random_accesses(void **state)
{
	uint64_t seed = test_seed(1), many = number_from("SHADOW_RUNS", 400);
	for (uint64_t i = 0; i < many; i++)
		run(seed + i);
}

/* ---- speed: with SHADOW_BENCH set, only this runs ---- */

static double now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void speed(void **state)
{
	enum { MANY = 20000000, WORDS = 512 };
	for (unsigned write = 0; write < 2; write++) {
		mem_budget = INT64_MAX;
		double t0 = now_ns();
		for (uint64_t i = 0; i < MANY; i++)
			mem_note(AT + i % WORDS * 8, 8, write ? MEM_WRITE : MEM_READ);
		print_message("%s again by the same thread: %.2f ns\n", write ? "written" : "read", (now_ns() - t0) / MANY);
	}
	double t0 = now_ns();
	for (uint64_t i = 0; i < 20000; i++) {
		event(0, EV_MUTEX_UNLOCK, M_REL, 5);
		for (unsigned j = 0; j < 100; j++)
			mem_note(AT + j * 8, 8, MEM_WRITE);
	}
	print_message("written in a new epoch: %.2f ns\n", (now_ns() - t0) / 20000 / 100);
	fresh(NULL);
	mem_budget = INT64_MAX;
	t0 = now_ns();
	for (uint64_t i = 0; i < MANY / 100000; i++)
		mem_note(AT, 100000 * 8, MEM_WRITE);
	print_message("a range, for each word: %.2f ns\n", (now_ns() - t0) / MANY);
	for (unsigned j = 0; j < 10000; j++) {
		by(1, AT + 0x100000 + j * 8, 8, MEM_READ);
		by(2, AT + 0x100000 + j * 8, 8, MEM_READ);
	}
	runs(2);
	t0 = now_ns();
	for (uint64_t i = 0; i < MANY; i++)
		mem_note(AT + 0x100000 + i % 1000 * 8, 8, MEM_READ);
	print_message("read again where two have read: %.2f ns\n", (now_ns() - t0) / MANY);
}

/* ---- blocks ---- */

static enum memory_error judged(uint64_t addr, uint64_t size, unsigned flags)
{
	struct mem_access a = { .addr = addr, .size = size, .flags = flags };
	struct session_block b;
	return block_suspect(addr, size) ? block_check(&a, &b) : MEMORY_NONE;
}

/* A block of 13 bytes in a chunk of 48, and the accesses that are allowed. */
static void blocks_are_marked(void **state)
{
	char *area = mmap((void *)HEAP_LO, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	struct heap_header *h = (struct heap_header *)area;
	uint64_t p = HEAP_LO + HEAP_HEADER;
	assert_ptr_equal(area, (void *)HEAP_LO);
	*h = (struct heap_header){ .state = HEADER_LIVE, .class = 1, .mark = HEADER_MARK, .size = 13 };
	blocks_on = true;
	block_new((void *)p);
	for (unsigned i = 0; i < 13; i++)
		assert_int_equal(judged(p + i, 1, MEM_WRITE), MEMORY_NONE);
	assert_int_equal(judged(p, 13, MEM_READ | MEM_PLAIN), MEMORY_NONE);
	assert_int_equal(judged(p, 14, MEM_READ | MEM_PLAIN), MEMORY_BEYOND);
	assert_int_equal(judged(p, 16, MEM_READ), MEMORY_NONE); /* vectors */
	assert_int_equal(judged(p, 16, MEM_WRITE), MEMORY_BEYOND);
	assert_int_equal(judged(p, 16, MEM_WRITE | MEM_MASKED), MEMORY_NONE);
	assert_int_equal(judged(p + 8, 8, MEM_READ), MEMORY_NONE);
	assert_int_equal(judged(p + 13, 1, MEM_READ), MEMORY_BEYOND);
	assert_int_equal(judged(p + 31, 1, MEM_WRITE), MEMORY_BEYOND);
	assert_int_equal(judged(p - 1, 1, MEM_WRITE), MEMORY_BEFORE);
	h->size = 24;
	block_new((void *)p);
	assert_int_equal(judged(p + 23, 1, MEM_WRITE), MEMORY_NONE);
	assert_int_equal(judged(p + 24, 1, MEM_WRITE), MEMORY_BEYOND);
	block_gone((void *)p);
	h->state = HEADER_FREE;
	assert_int_equal(judged(p, 1, MEM_READ), MEMORY_FREED);
	assert_int_equal(judged(p + 16, 16, MEM_READ), MEMORY_FREED);
	blocks_on = false;
	munmap(area, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(conflicts_are_found, fresh),
		cmocka_unit_test_setup(ordered_accesses_do_not_conflict, fresh),
		cmocka_unit_test_setup(readers_are_remembered, fresh),
		cmocka_unit_test_setup(a_reader_that_acquires_hides_no_other_reader, fresh),
		cmocka_unit_test_setup(marks_make_events, fresh),
		cmocka_unit_test_setup(forgotten_memory_is_new, fresh),
		cmocka_unit_test_setup(a_forced_schedule_discovers_nothing, fresh),
		cmocka_unit_test_setup(a_forced_schedule_shares_again, fresh),
		cmocka_unit_test_setup(spinning_is_shared_at_once, fresh),
		cmocka_unit_test_setup(spinning_is_shared_at_once_after_a_conflict, fresh),
		cmocka_unit_test_setup(the_budget_asks_for_a_probe, fresh),
		cmocka_unit_test_setup(races_are_reported, fresh),
		cmocka_unit_test_setup(blocks_are_marked, fresh),
		cmocka_unit_test(random_accesses),
	};
	const struct CMUnitTest bench[] = {
		cmocka_unit_test_setup(speed, fresh),
	};
	if (getenv("SHADOW_BENCH"))
		return cmocka_run_group_tests(bench, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
