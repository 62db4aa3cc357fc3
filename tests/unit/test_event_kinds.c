/* The table of event kinds: its columns agree with one another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "sched/event.h"

static bool flag(unsigned kind, unsigned k)
{
	return event_kind_flags(kind) & k;
}

#define EACH_KIND(k) for (unsigned k = EV_NONE + 1; k < EV_COUNT; k++)

/* An operation and the kind that waits for it name each other, and touch the object in the same way. */
static void counterparts(void **state)
{
	unsigned pairs = 0;

	EACH_KIND(k) {
		enum event_kind waiting = event_kind_waiting(k), timeout = event_kind_timeout(k);
		assert_true(waiting == EV_NONE || timeout == EV_NONE);
		assert_true(waiting == EV_NONE || flag(k, K_TIMED));
		if (waiting != EV_NONE && waiting != k) {
			assert_true(flag(waiting, K_BLOCK) && flag(k, K_TRY));
			assert_int_equal(event_kind_timeout(waiting), k);
			assert_int_equal(event_kind_mode(waiting, 0), event_kind_mode(k, 0));
			assert_int_equal(event_kind_result(waiting), event_kind_result(k));
			pairs++;
		}
		if (timeout != EV_NONE) {
			assert_false(flag(timeout, K_BLOCK));
			assert_int_equal(event_kind_object(timeout), event_kind_object(k));
			assert_true(flag(timeout, K_INNER) || event_kind_waiting(timeout) == k);
		}
	}
	assert_true(pairs > 0);
}

static void blocking(void **state)
{
	EACH_KIND(k) {
		assert_int_equal(flag(k, K_BLOCK), event_kind_waits(k) > WAITS_CHANGE);
		assert_int_equal(event_kind_waits(k) == WAITS_CHANGE, event_kind_object(k) == OBJ_MEMORY && !flag(k, K_INNER));
		assert_false(flag(k, K_BLOCK) && flag(k, K_TRY));
		assert_false(flag(k, K_INNER) && flag(k, K_TRY | K_TIMED));
		assert_false(flag(k, K_INNER) && flag(k, K_BLOCK) && event_kind_outcome(k) != OUTCOME_CLAIM);
	}
}

static void modes(void **state)
{
	EACH_KIND(k) {
		enum access_mode m = event_kind_mode(k, 0);
		assert_int_equal(m == M_NONE, event_kind_object(k) == OBJ_NONE);
		assert_true(m != M_NONE || event_kind_mode(k, 1) == M_NONE);
		assert_true(!flag(k, K_MUTEX2) || event_kind_mode(k, 1) == M_ACQ || event_kind_mode(k, 1) == M_REL);
		assert_true(!flag(k, K_LOCAL | K_END) || m == M_NONE);
		assert_true(!flag(k, K_INIT) || m == M_WRITE);
	}
}

/* An object that an event initialises is destroyed by another one. */
static void lifetimes(void **state)
{
	unsigned begins[OBJ_COUNT] = { 0 }, ends[OBJ_COUNT] = { 0 };

	EACH_KIND(k) {
		assert_true(!flag(k, K_DESTROY) || event_kind_mode(k, 0) == M_WRITE);
		begins[event_kind_object(k)] += flag(k, K_INIT);
		ends[event_kind_object(k)] += flag(k, K_DESTROY);
	}
	assert_int_equal(begins[OBJ_MUTEX], 1);
	for (unsigned o = 0; o < OBJ_COUNT; o++)
		assert_int_equal(begins[o], ends[o]);
}

/* The meaning of seq, result and flags follows from how the event touches its object. */
static void columns_agree_with_modes(void **state)
{
	EACH_KIND(k) {
		enum access_mode m = event_kind_mode(k, 0);
		bool memory = event_kind_object(k) == OBJ_MEMORY;
		assert_int_equal(event_kind_seq(k) == SEQ_TOKEN, m == M_SEND || m == M_RECV);
		assert_int_equal(event_kind_seq(k) == SEQ_ROUND, m == M_ARRIVE || m == M_PASS);
		assert_true(m != M_POKE || event_kind_seq(k) == SEQ_POKED);
		assert_true(!memory || event_kind_seq(k) == SEQ_VALUE);
		assert_int_equal(memory, event_kind_bits(k) == BITS_LOAD || event_kind_bits(k) == BITS_ACCESS);
		assert_int_equal(event_kind_bits(k) == BITS_LOAD, memory && m == M_READ);
		assert_true(!flag(k, K_TRY) || event_kind_outcome(k) != OUTCOME_SAME);
	}
}

static void failed_and_forwarded(void **state)
{
	struct event load = { .kind = EV_LOAD, .flags = EVF_FORWARDED }, rmw = { .kind = EV_RMW, .flags = EVF_FAILED };

	assert_true(event_forwarded(&load) && !event_failed(&load));
	assert_true(event_failed(&rmw) && !event_forwarded(&rmw));
}

static void out_of_range(void **state)
{
	assert_int_equal(event_kind_flags(EV_COUNT), 0);
	assert_int_equal(event_kind_object(999), OBJ_NONE);
	assert_int_equal(event_kind_mode(EV_COUNT, 1), M_NONE);
	assert_int_equal(event_kind_waiting(EV_COUNT), EV_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counterparts), cmocka_unit_test(blocking), cmocka_unit_test(modes), cmocka_unit_test(lifetimes), cmocka_unit_test(columns_agree_with_modes),
		cmocka_unit_test(failed_and_forwarded), cmocka_unit_test(out_of_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
