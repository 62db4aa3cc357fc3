/* The world's store buffers under PSO, driven by hand: which stores may overtake which, releases, and fences. */
#include "tests/unit/lib_membuf.h"

/* ---- PSO ---- */

static void places(void **state)
{
	char text[32];
	thread_id x = store(1, X, 1), y = store(1, Y, 2);
	assert_int_not_equal(x, y);
	assert_int_equal(store(1, X, 3), x);
	thread_id other = store(2, X, 4);
	assert_int_not_equal(other, x);
	assert_string_equal(thread_name_format(&names, x, text, sizeof text), "T0.1~5010");
	assert_string_equal(thread_name_format(&names, other, text, sizeof text), "T0.2~5010");
	assert_true(enabled(x) && enabled(y) && enabled(other));
	update(y);
	assert_int_equal(word(X), 0);
	assert_int_equal(word(Y), 2);
	update(x);
	assert_int_equal(word(X), 1);
	update(other);
	assert_int_equal(word(X), 4);
	update(x);
	assert_int_equal(word(X), 3);
	assert_false(enabled(x) || enabled(y) || enabled(other));
}

/* Stores that overlap keep their order, whatever their first bytes; neighbouring stores need not. */
static void overlaps(void **state)
{
	thread_id a = store_as(1, 0, X, 4, 0x11111111), b = store_as(1, 0, X + 4, 4, 0x22222222);
	thread_id c = store_as(1, 0, X + 3, 2, 0x3333), d = store_as(1, 0, X + 12, 4, 0x44444444), e = store_as(1, 0, X + 8, 5, 0x5555555555);
	assert_true(enabled(a) && enabled(b) && enabled(d));
	assert_false(enabled(c));
	assert_false(enabled(e));
	update(b);
	assert_false(enabled(c));
	update(a);
	assert_true(enabled(c));
	update(d);
	update(e);
	assert_int_equal(word(X + 8), 0x4444445555555555);
	update(c);
	assert_int_equal(word(X), 0x2222223333111111);
}

/* A short store inside a longer one, at another address. A later long store must not overtake it. */
static void inside(void **state)
{
	thread_id a = store_as(1, 0, X, 8, 0x1111111111111111), b = store_as(1, 0, X + 5, 1, 2), c = store_as(1, 0, X, 8, 0x3333333333333333);
	assert_int_equal(a, c);
	assert_false(enabled(b));
	update(a);
	assert_false(enabled(a)); /* the short store must come first */
	update(b);
	assert_int_equal(word(X), 0x1111021111111111);
	update(c);
	assert_int_equal(word(X), 0x3333333333333333);
}

static void releases(void **state)
{
	thread_id x = store(1, X, 1), y = store_as(1, OPF_RELEASE, Y, 8, 2), z = store(1, Z, 3);
	assert_true(enabled(x));
	assert_false(enabled(y));
	assert_true(enabled(z)); /* stores after a release may overtake it */
	update(z);
	assert_false(enabled(y));
	update(x);
	update(y);
	assert_int_equal(word(Y), 2);
	/* A release does not wait for stores of other threads. */
	store(2, X, 1);
	assert_int_equal(store_as(1, OPF_RELEASE, Y, 8, 4), y);
	assert_true(enabled(y));
	update(y);
}

static void release_fences(void **state)
{
	world_release_fence(W, 1); /* with nothing buffered */
	thread_id x = store(1, X, 1), y = store(1, Y, 2);
	world_release_fence(W, 1);
	thread_id z = store(1, Z, 3);
	assert_int_equal(store(1, X, 4), x);
	assert_true(enabled(x) && enabled(y));
	assert_false(enabled(z));
	update(x);
	assert_false(enabled(z));
	assert_false(enabled(x)); /* its second store is after the fence */
	uint32_t epoch = update_epoch(&ST.event);
	update(y);
	assert_int_equal(update_epoch(&ST.event), epoch);
	assert_true(enabled(z) && enabled(x));
	update(x);
	assert_int_not_equal(update_epoch(&ST.event), epoch);
	/* Another fence while a store from before it is still in the buffer. */
	world_release_fence(W, 1);
	thread_id last = store(1, Y, 5);
	assert_false(enabled(last));
	update(z);
	assert_true(enabled(last));
	update(last);
}

/* A thread's fence does not affect other threads. */
static void fences_affect_one_thread(void **state)
{
	store(1, X, 1);
	thread_id y = store(2, Y, 2);
	world_release_fence(W, 1);
	thread_id z = store(2, Z, 3);
	assert_true(enabled(y) && enabled(z));
}

/* ---- fences ---- */

static void when_fences_are_needed(void **state)
{
	assert_false(world_fence_needed(W, 1));
	load(1, X, 8, false);
	assert_false(world_fence_needed(W, 1));
	thread_id a = store(1, X, 1);
	assert_true(world_fence_needed(W, 1));
	assert_false(world_fence_needed(W, 2));
	update(a);
	assert_true(world_fence_needed(W, 1)); /* fence_needed stays true after the update: it must not depend on when updates happen */
	run(1, OP(EV_FENCE, 0));
	assert_false(world_fence_needed(W, 1));
	update(store(1, X, 2));
	lock(1, 1);
	assert_false(world_fence_needed(W, 1));
	update(store(1, X, 3));
	run(1, ACCESS(EV_RMW, Y, 8));
	assert_false(world_fence_needed(W, 1));
	run(1, FLAGGED(ACCESS(EV_STORE, Y, 8), OPF_DRAINS));
	assert_false(world_fence_needed(W, 1));
	unlock(1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(places, pso), T(overlaps, pso), T(inside, pso), T(releases, pso), T(release_fences, pso), T(fences_affect_one_thread, pso),
		BOTH(when_fences_are_needed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
