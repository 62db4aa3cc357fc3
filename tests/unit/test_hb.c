/* Happens-before: the rules one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/lib_hb.h"

#define ARENA (64u << 20)

static _Alignas(16) char memory[ARENA];
static struct hb *h;

static int fresh(void **state)
{
	h = hb_init(arena_init(memory, sizeof memory), MODEL_PSO);
	assert_non_null(h);
	return 0;
}

static void does(unsigned t, unsigned kind, unsigned mode, object_id o, uint32_t seq)
{
	struct event e = { .thread = (thread_id)t, .kind = (uint8_t)kind, .mode = { (uint8_t)mode }, .obj = { o },
		.seq = seq };
	hb_event(h, &e);
}

static void touches(unsigned t, unsigned kind, unsigned first, unsigned last, unsigned flags)
{
	struct event e = test_access(t, kind, first, last, flags);
	hb_event(h, &e);
}

static uint32_t epoch(unsigned t)
{
	return hb_epoch(h, (thread_id)t);
}

static bool seen(unsigned t, unsigned of, uint32_t e)
{
	return hb_seen(h, (thread_id)t, (thread_id)of) >= e;
}

static void locks(void **state)
{
	uint32_t e = epoch(1);
	does(1, EV_MUTEX_UNLOCK, M_REL, 5, 0);
	assert_true(epoch(1) > e);
	assert_false(seen(2, 1, e));
	does(2, EV_MUTEX_TRYLOCK, M_READ, 5, 0); /* failed */
	assert_false(seen(2, 1, e));
	does(2, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	assert_true(seen(2, 1, e));
	assert_false(seen(2, 1, epoch(1)));
	uint32_t e2 = epoch(2);
	does(2, EV_MUTEX_UNLOCK, M_REL, 5, 0);
	does(3, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	assert_true(seen(3, 1, e) && seen(3, 2, e2)); /* transitive */
	assert_false(seen(1, 2, e2));
}

static void events_without_effect_cost_no_epoch(void **state)
{
	uint32_t e = epoch(1);
	does(1, EV_YIELD, M_NONE, 0, 0);
	does(1, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	does(1, EV_MUTEX_INIT, M_WRITE, 6, 0);
	touches(1, EV_STORE, 0, 7, EVF_ATOMIC);
	touches(1, EV_LOAD, 0, 7, EVF_ATOMIC | EVF_ACQUIRE);
	assert_int_equal(epoch(1), e);
}

static void initialising_orders_nothing(void **state)
{
	uint32_t e = epoch(1);
	does(1, EV_MUTEX_INIT, M_WRITE, 5, 0);
	does(2, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	assert_false(seen(2, 1, e));
}

static void readers_and_writers(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2), e3 = epoch(3);
	does(3, EV_RW_WRUNLOCK, M_REL, 5, 0);
	does(1, EV_RW_RDLOCK, M_RDACQ, 5, 0);
	does(2, EV_RW_RDLOCK, M_RDACQ, 5, 0);
	assert_true(seen(1, 3, e3) && seen(2, 3, e3));
	does(1, EV_RW_RDUNLOCK, M_RDREL, 5, 0);
	does(4, EV_RW_RDLOCK, M_RDACQ, 5, 0);
	assert_true(seen(4, 3, e3));
	assert_false(seen(4, 1, e1)); /* readers do not order each other */
	does(2, EV_RW_RDUNLOCK, M_RDREL, 5, 0);
	does(4, EV_RW_RDUNLOCK, M_RDREL, 5, 0);
	does(5, EV_RW_WRLOCK, M_ACQ, 5, 0);
	assert_true(seen(5, 1, e1) && seen(5, 2, e2) && seen(5, 3, e3)); /* the writer sees all of them */
}

static void tokens(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	does(1, EV_SEM_POST, M_SEND, 5, 3);
	does(2, EV_SEM_POST, M_SEND, 5, 4);
	does(3, EV_SEM_WAIT, M_RECV, 5, 1); /* initial tokens of the semaphore */
	does(3, EV_SEM_WAIT, M_RECV, 5, 2);
	assert_false(seen(3, 1, e1));
	does(3, EV_SEM_WAIT, M_RECV, 5, 3);
	assert_true(seen(3, 1, e1));
	assert_false(seen(3, 2, e2));
	does(4, EV_SEM_WAIT, M_RECV, 5, 4); /* its own post, and the earlier ones */
	assert_true(seen(4, 1, e1) && seen(4, 2, e2));
}

static void conditions(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	does(2, EV_COND_WAIT, M_ENQ, 5, 0);
	does(1, EV_COND_SIGNAL, M_SIG, 5, 0);
	assert_false(seen(1, 2, e2));
	does(2, EV_COND_TIMEOUT, M_DEQ, 5, 0);
	assert_false(seen(2, 1, e1));
	does(2, EV_COND_WOKEN, M_TAKE, 5, 0);
	assert_true(seen(2, 1, e1));
}

static void barriers(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2), e3 = epoch(3);
	does(1, EV_BARRIER_ARRIVE, M_ARRIVE, 5, 1);
	does(2, EV_BARRIER_ARRIVE, M_LAST, 5, 1);
	assert_true(seen(2, 1, e1));
	uint32_t e2b = epoch(2);
	does(2, EV_BARRIER_ARRIVE, M_ARRIVE, 5, 2);
	does(3, EV_BARRIER_ARRIVE, M_LAST, 5, 2); /* the next round ends before T1 has left this one */
	does(1, EV_BARRIER_PASS, M_PASS, 5, 1);
	assert_true(seen(1, 2, e2));
	assert_false(seen(1, 2, e2b));
	assert_false(seen(1, 3, e3));
	does(2, EV_BARRIER_PASS, M_PASS, 5, 2);
	assert_true(seen(2, 3, e3));
	assert_true(seen(3, 2, e2b) && seen(3, 1, e1));
}

static void meets(thread_id t, uint32_t round)
{
	struct event e = {.thread = t, .kind = EV_BARRIER_ARRIVE, .mode = {M_MEET}, .obj = {5}, .seq = round, .result = 2};
	hb_event(h, &e);
}

/* Barriers without a last arrival: each thread sees the others when it passes. */
static void meetings(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2), e3 = epoch(3);
	meets(1, 1);
	meets(2, 1);
	assert_false(seen(2, 1, e1));
	does(2, EV_BARRIER_PASS, M_PASS, 5, 1);
	assert_true(seen(2, 1, e1));
	uint32_t e2b = epoch(2);
	meets(3, 2);
	meets(2, 2); /* the next round ends before T1 has left this one */
	does(1, EV_BARRIER_PASS, M_PASS, 5, 1);
	assert_true(seen(1, 2, e2));
	assert_false(seen(1, 2, e2b));
	assert_false(seen(1, 3, e3));
	does(3, EV_BARRIER_PASS, M_PASS, 5, 2);
	assert_true(seen(3, 2, e2b) && seen(3, 1, e1));
}

static void once(void **state)
{
	uint32_t e1 = epoch(1);
	does(1, EV_ONCE_ENTER, M_ACQ, 5, 0);
	does(1, EV_ONCE_DONE, M_REL, 5, 0);
	does(2, EV_ONCE_ENTER, M_READ, 5, 0);
	assert_true(seen(2, 1, e1));
}

static void threads(void **state)
{
	uint32_t e0 = epoch(0);
	does(0, EV_THREAD_CREATE, M_WRITE, 5, 1);
	assert_true(seen(1, 0, e0));
	assert_false(seen(1, 0, epoch(0)));
	uint32_t e1 = epoch(1);
	does(1, EV_THREAD_EXIT, M_REL, 5, 0);
	assert_false(seen(0, 1, e1));
	does(0, EV_THREAD_JOIN, M_ACQ, 5, 0);
	assert_true(seen(0, 1, e1));
}

static void signals(void **state)
{
	uint32_t e1 = epoch(1);
	does(1, EV_SIGNAL_SEND, M_POKE, 5, 2);
	does(2, EV_MUTEX_LOCK, M_ACQ, 6, 0);
	assert_false(seen(2, 1, e1));
	does(2, EV_SIGNAL_HANDLER, M_READ, 5, 0);
	assert_true(seen(2, 1, e1));
	does(3, EV_SIGNAL_SEND, M_NONE, 0, 0); /* sent to the process: only obj[1] is set */
	assert_false(seen(2, 3, 1));
}

static void descriptors(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	does(1, EV_FD_WRITE, M_REL, 5, 0);
	does(2, EV_FD_WRITE, M_REL, 5, 0);
	assert_false(seen(2, 1, e1)); /* writing to the same descriptor does not order two threads */
	does(3, EV_FD_READ, M_ACQ, 5, 0);
	assert_true(seen(3, 1, e1) && seen(3, 2, e2));
}

static void release_and_acquire(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	touches(1, EV_STORE, 4, 7, EVF_RELEASE);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE); /* neighbouring bytes */
	touches(2, EV_LOAD, 4, 7, 0);           /* relaxed */
	assert_false(seen(2, 1, e1));
	touches(2, EV_LOAD, 7, 20, EVF_ACQUIRE); /* one byte of the store suffices, across cells */
	assert_true(seen(2, 1, e1));
	touches(2, EV_RMW, 4, 7, 0); /* continues the release sequence */
	touches(3, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_true(seen(3, 1, e1));
	assert_false(seen(3, 2, e2));
	touches(2, EV_RMW, 4, 7, EVF_RELEASE); /* and adds to it */
	touches(1, EV_STORE, 4, 5, EVF_ATOMIC); /* ends the sequence for two bytes */
	touches(4, EV_LOAD, 4, 5, EVF_ACQUIRE);
	assert_false(seen(4, 1, e1));
	touches(4, EV_RMW, 6, 7, EVF_ACQUIRE | EVF_FAILED); /* a failed compare-and-swap reads */
	assert_true(seen(4, 1, e1) && seen(4, 2, e2));
}

/* An addition whose result is not used may as well come before those that it found there: it acquires nothing. */
static void additions_release(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	for (unsigned t = 1; t <= 2; t++) {
		struct event add = test_access(t, EV_RMW, 0, 7, EVF_ATOMIC | EVF_RELEASE);
		add.mode[0] = M_ADD;
		hb_event(h, &add);
	}
	hb_fence(h, 2, true, false);
	assert_false(seen(2, 1, e1));
	touches(3, EV_LOAD, 0, 7, EVF_ATOMIC | EVF_ACQUIRE);
	assert_true(seen(3, 1, e1) && seen(3, 2, e2));
}

static void a_guard_is_released(void **state)
{
	struct event done = { .thread = 1, .kind = EV_ONCE_DONE, .mode = { M_REL, M_WRITE }, .obj = { 5, TEST_CELL } };
	uint32_t e1 = epoch(1);
	hb_event(h, &done);
	touches(2, EV_LOAD, 0, 0, EVF_ACQUIRE);
	assert_true(seen(2, 1, e1));
}

static void many_threads(void **state)
{
	for (unsigned t = 0; t + 1 < MAX_THREADS; t++)
		does(t, EV_THREAD_CREATE, M_WRITE, 5 + t, t + 1);
	for (unsigned t = 0; t + 1 < MAX_THREADS; t++)
		assert_true(seen(MAX_THREADS - 1, t, 1) && !seen(t, t + 1, 1));
}

static void fence(unsigned t, bool acquire, bool release)
{
	hb_fence(h, (thread_id)t, acquire, release);
}

static void fences(void **state)
{
	uint32_t e1 = epoch(1);
	fence(1, false, true);
	uint32_t after = epoch(1);
	assert_true(after > e1);
	touches(1, EV_STORE, 0, 3, EVF_ATOMIC);
	assert_int_equal(epoch(1), after); /* the store publishes only what precedes the fence */
	touches(2, EV_LOAD, 0, 3, EVF_ATOMIC);
	assert_false(seen(2, 1, e1));
	touches(2, EV_LOAD, 8, 11, EVF_ATOMIC);
	fence(2, false, true); /* the wrong kind */
	assert_false(seen(2, 1, e1));
	fence(2, true, false);
	assert_true(seen(2, 1, e1));
	assert_false(seen(2, 1, after));
	touches(3, EV_LOAD, 0, 3, EVF_ATOMIC | EVF_ACQUIRE); /* one fence suffices when the other side acquires */
	assert_true(seen(3, 1, e1));
	assert_false(seen(3, 1, after));
	touches(4, EV_LOAD, 0, 3, EVF_PLAIN);
	fence(4, true, true);
	assert_false(seen(4, 1, e1)); /* fences need atomics */
	touches(1, EV_STORE, 0, 3, EVF_PLAIN);
	touches(5, EV_LOAD, 0, 3, EVF_ATOMIC | EVF_ACQUIRE);
	assert_false(seen(5, 1, e1));
}

static void fences_and_read_modify_writes(void **state)
{
	uint32_t e1 = epoch(1), e2 = epoch(2);
	fence(1, false, true);
	touches(1, EV_RMW, 0, 3, EVF_ATOMIC);
	fence(2, false, true);
	touches(2, EV_RMW, 0, 3, EVF_ATOMIC);
	touches(3, EV_RMW, 0, 3, EVF_ATOMIC);
	assert_false(seen(3, 1, 1));
	fence(3, true, false);
	assert_true(seen(3, 1, e1) && seen(3, 2, e2));
	assert_false(seen(3, 1, e1 + 1) || seen(3, 2, e2 + 1));
	touches(4, EV_RMW, 0, 3, EVF_ATOMIC | EVF_FAILED); /* reads */
	fence(4, true, true);
	assert_true(seen(4, 1, e1) && seen(4, 2, e2));
}

static void a_mov_publishes_up_to_the_last_drain(void **state)
{
	uint32_t e1 = epoch(1);
	does(1, EV_MUTEX_UNLOCK, M_REL, 5, 0);
	uint32_t after = epoch(1);
	touches(1, EV_STORE, 0, 3, 0);
	touches(1, EV_STORE, 4, 7, EVF_ATOMIC); /* C11 has no rule for that */
	touches(2, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_false(seen(2, 1, e1));
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, e1));
	assert_false(seen(2, 1, after));
	does(1, EV_FENCE, M_NONE, 0, 0);
	touches(1, EV_STORE, 0, 3, 0);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, after));
	assert_false(seen(2, 1, epoch(1)));
}

static void stores(unsigned t, unsigned k, unsigned first, unsigned last, unsigned flags)
{
	struct event e = test_buffered(t, k, first, last, flags);
	hb_event(h, &e);
}

static void updates(unsigned t, unsigned k, unsigned first, unsigned last)
{
	struct event e = test_buffered(t, k, first, last, 0);
	e = test_update(&e, 0);
	hb_event(h, &e);
}

static void buffered_stores(void **state)
{
	uint32_t e1 = epoch(1);
	stores(1, 0, 0, 3, EVF_RELEASE);
	uint32_t later = epoch(1);
	assert_true(later > e1);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_false(seen(2, 1, e1)); /* not in memory yet */
	does(1, EV_MUTEX_LOCK, M_ACQ, 5, 0);
	updates(1, 0, 0, 3);
	assert_int_equal(epoch(1), later);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, e1));
	assert_false(seen(2, 1, later)); /* what T1 did between the store and its update */
	stores(2, 0, 0, 3, EVF_ATOMIC);
	touches(3, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(3, 1, e1));
	updates(2, 0, 0, 3); /* overwrites */
	touches(4, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_false(seen(4, 1, e1));
}

static void buffers_are_queues(void **state)
{
	uint32_t a = epoch(1);
	stores(1, 0, 0, 3, EVF_RELEASE);
	uint32_t b = epoch(1);
	stores(1, 1, 4, 7, EVF_RELEASE);
	stores(1, 0, 0, 3, EVF_RELEASE);
	updates(1, 0, 0, 3); /* the oldest store of its agent */
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(2, 1, a));
	assert_false(seen(2, 1, b));
	updates(1, 0, 0, 3);
	touches(3, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_true(seen(3, 1, b + 1));
	updates(1, 1, 4, 7);
	touches(2, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_true(seen(2, 1, b));
	assert_false(seen(2, 1, b + 1));
}

static void buffers_and_fences(void **state)
{
	uint32_t a = epoch(1);
	stores(1, 0, 0, 3, EVF_ATOMIC);
	fence(1, false, true);
	stores(1, 0, 4, 7, EVF_ATOMIC);
	updates(1, 0, 0, 3);
	touches(2, EV_LOAD, 0, 3, EVF_ACQUIRE);
	assert_false(seen(2, 1, a)); /* stored before the fence */
	updates(1, 0, 4, 7);
	touches(2, EV_LOAD, 4, 7, EVF_ACQUIRE);
	assert_true(seen(2, 1, a));
	assert_false(seen(2, 1, a + 1));
}

static void own_bytes_order_nothing(void **state)
{
	uint32_t e2 = epoch(2);
	touches(2, EV_STORE, 0, 3, EVF_RELEASE);
	stores(1, 0, 0, 3, EVF_RELEASE);
	touches(1, EV_LOAD, 0, 3, EVF_ACQUIRE | EVF_FORWARDED);
	touches(1, EV_LOAD, 0, 3, EVF_ATOMIC | EVF_FORWARDED);
	fence(1, true, false);
	assert_false(seen(1, 2, e2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(locks, fresh),
		cmocka_unit_test_setup(events_without_effect_cost_no_epoch, fresh),
		cmocka_unit_test_setup(initialising_orders_nothing, fresh),
		cmocka_unit_test_setup(readers_and_writers, fresh),
		cmocka_unit_test_setup(tokens, fresh),
		cmocka_unit_test_setup(conditions, fresh),
		cmocka_unit_test_setup(barriers, fresh),
		cmocka_unit_test_setup(meetings, fresh),
		cmocka_unit_test_setup(once, fresh),
		cmocka_unit_test_setup(threads, fresh),
		cmocka_unit_test_setup(signals, fresh),
		cmocka_unit_test_setup(descriptors, fresh),
		cmocka_unit_test_setup(release_and_acquire, fresh),
		cmocka_unit_test_setup(additions_release, fresh),
		cmocka_unit_test_setup(a_guard_is_released, fresh),
		cmocka_unit_test_setup(fences, fresh),
		cmocka_unit_test_setup(fences_and_read_modify_writes, fresh),
		cmocka_unit_test_setup(a_mov_publishes_up_to_the_last_drain, fresh),
		cmocka_unit_test_setup(buffered_stores, fresh),
		cmocka_unit_test_setup(buffers_are_queues, fresh),
		cmocka_unit_test_setup(buffers_and_fences, fresh),
		cmocka_unit_test_setup(own_bytes_order_nothing, fresh),
		cmocka_unit_test_setup(many_threads, fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
