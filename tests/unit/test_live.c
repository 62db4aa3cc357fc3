/*
 * The execution graph of a running execution under RC11 (sched/live.h): small programs run in the world, every order of
 * their threads with every store that is offered. The graphs must be those of an oracle (lib_rc11.h): none is lost, and
 * none is invented. Without a rule of the model, or if the graph does not learn what library calls order, they are not.
 *
 * The strategy `graphs` must find the same graphs, each once, in any order of the threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_live_search.h"
#include "tests/unit/lib_rc11_litmus.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_CANDIDATES 10000

static void compare(const struct rc_program *p, const struct rc_keys *want, uint32_t without, unsigned most,
	struct live_totals *sum)
{
	struct rc_keys found = {0};
	if (live_all_graphs(p, without, most, &found))
		live_add(sum, p, want, &found, true, without & ~STRENGTHENED ? NULL : "all orders");
	else
		sum->too_big++;
	rc_free(&found);
}

static void compare_search(
	const struct rc_program *p, const struct rc_keys *want, uint32_t shuffle, struct live_totals *sum)
{
	struct rc_keys found = {0};
	bool whole = live_searched_graphs(p, shuffle, 0, &found);
	live_add(sum, p, want, &found, whole, shuffle ? "strategy, shuffled" : "strategy");
	rc_free(&found);
}

enum { RULES = 7 };
static const uint32_t rules[RULES] = {RC11_WITHOUT_PSC, RC11_WITHOUT_RELEASE_SEQUENCE, RC11_WITHOUT_OLD_PLACES,
	RC11_WITHOUT_FENCES, RC11_WITHOUT_LONG_CYCLES, WITHOUT_CALLS, WITHOUT_STORES};

static void litmus_tests(void **state)
{
	struct live_totals sum = {0}, strategy = {0}, strengthened = {0}, broken[RULES] = {{0}};
	for (size_t i = 0; i < sizeof litmus / sizeof *litmus; i++) {
		struct rc_program p;
		struct rc_keys want = {0};
		assert_true(rc_read(&p, litmus[i].text));
		assert_true(rc_oracle(&p, UINT64_MAX, &want));
		rc_sort(&want);
		compare(&p, &want, 0, 300000, &sum);
		compare(&p, &want, STRENGTHENED, 5000, &strengthened);
		for (uint32_t shuffle = 0; shuffle < 4; shuffle++)
			compare_search(&p, &want, shuffle, &strategy);
		for (unsigned k = 0; k < RULES; k++)
			compare(&p, &want, rules[k], 5000, &broken[k]);
		rc_free(&want);
	}
	live_print("litmus", &sum);
	live_print("litmus, strategy", &strategy);
	live_print("litmus, strengthened", &strengthened);
	assert_int_equal(sum.wrong + sum.too_big + strategy.wrong + strengthened.wrong, 0);
	assert_true(strengthened.programs > 0);
	for (unsigned k = 0; k < RULES; k++) /* each rule is needed */
		assert_true(broken[k].wrong > 0);
}

/* Compares n random programs. */
static void programs(unsigned n, unsigned with)
{
	struct live_totals sum = {0}, strategy = {0}, strengthened = {0};
	uint64_t draw = test_seed(20261129) + with;
	for (unsigned i = 0; i < n; i++) {
		struct rc_program p;
		struct rc_keys want = {0};
		rc_draw(&p, &draw, with);
		if (rc_oracle(&p, MOST_CANDIDATES, &want) && !rc_racy(&want)) {
			rc_sort(&want);
			compare(&p, &want, 0, 10000, &sum);
			compare(&p, &want, STRENGTHENED, 1000, &strengthened);
			compare_search(&p, &want, 0, &strategy);
			compare_search(&p, &want, i + 1, &strategy);
		}
		rc_free(&want);
	}
	live_print("all orders", &sum);
	live_print("strategy", &strategy);
	live_print("strengthened", &strengthened);
	assert_int_equal(sum.wrong + strategy.wrong + strengthened.wrong, 0);
	assert_true(sum.programs >= sum.too_big);
}

static void random_programs(void **state)
{
	programs(toy_random_part(2000), 0);
}

static void random_programs_with_calls(void **state)
{
	programs(toy_random_part(1000), RC_JOINS);
	programs(toy_random_part(1000), RC_LOCKS);
	programs(toy_random_part(1000), RC_LOCKS | RC_NESTED | RC_JOINS);
}

static void random_programs_with_plain_accesses(void **state)
{
	programs(toy_random_part(1000), RC_PLAIN | RC_LOCKS);
	programs(toy_random_part(1000), RC_PLAIN | RC_JOINS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(litmus_tests),
		cmocka_unit_test(random_programs),
		cmocka_unit_test(random_programs_with_calls),
		cmocka_unit_test(random_programs_with_plain_accesses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
