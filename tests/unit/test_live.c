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

#include <stdio.h>
#include <string.h>

#include "explore/explore.h"
#include "tests/unit/lib_live.h"
#include "tests/unit/lib_rc11_litmus.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_CANDIDATES 10000
#define MOST_DECISIONS 256

/* ---- every order of the threads, with every store ---- */

struct decision_made {
	uint16_t chosen, of;
};

static struct {
	struct decision_made made[MOST_DECISIONS];
	unsigned depth, decided; /* decisions known, and used in this execution */
} every;

/* Returns the next decision of n. */
static int decide(void *unused, const struct sched_view *view)
{
	assert_true(every.decided < MOST_DECISIONS);
	struct decision_made *d = &every.made[every.decided++];
	if (every.decided > every.depth) {
		*d = (struct decision_made){.of = (uint16_t)view->n};
		every.depth = every.decided;
	}
	assert_int_equal(d->of, view->n);
	return d->chosen;
}

/* Goes to the next sequence of decisions. Returns false after the last one. */
static bool next_decisions(void)
{
	while (every.depth && every.made[every.depth - 1].chosen + 1u == every.made[every.depth - 1].of)
		every.depth--;
	if (!every.depth)
		return false;
	every.made[every.depth - 1].chosen++;
	return true;
}

/* Finds the graphs of all executions, each once. Returns false when there are more than `most` executions. */
static bool all_graphs(const struct rc_program *p, uint32_t without, unsigned most, struct rc_keys *out)
{
	static const struct live_driver driver = {.pick = decide, .pick_store = decide};
	struct rc_keys all = {0};
	unsigned n = 0;
	every.depth = 0;
	do {
		struct rc_key key;
		const struct trace *trace;
		every.decided = 0;
		live_execute(p, without, false, &driver, &key, &trace);
		rc_add(&all, &key);
	} while (++n < most && next_decisions());
	rc_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		if (!i || memcmp(&all.key[i - 1], &all.key[i], sizeof *all.key) != 0)
			rc_add(out, &all.key[i]);
	rc_free(&all);
	return n < most;
}

/* ---- the strategy ---- */

static _Alignas(16) char search_memory[16 << 20];

/* Finds the graphs of the executions of the strategy `graphs`. Returns whether it came to its end. */
static bool searched_graphs(const struct rc_program *p, uint32_t shuffle, struct rc_keys *out)
{
	struct explore_config config = {.strategy = STRATEGY_GRAPHS, .shuffle = shuffle};
	struct strategy s;
	assert_true(explore_create(&config, search_memory, sizeof search_memory));
	assert_true(explore_attach(search_memory, sizeof search_memory, &s));
	struct live_driver driver = {.pick = s.ops->pick, .pick_store = s.ops->pick_store, .self = s.self};
	driver.observe = s.ops->observe;
	while (s.ops->begin(s.self)) {
		struct rc_key key;
		const struct trace *trace;
		bool whole = live_execute(p, 0, true, &driver, &key, &trace);
		if (whole)
			rc_add(out, &key);
		s.ops->end(s.self, trace, whole ? RUN_OK : RUN_CUT);
	}
	rc_sort(out);
	const struct explore_stats *stats = explore_stats(search_memory);
	return stats->finished && !stats->graphs_left && !stats->diverged && !stats->cut && stats->executions == out->n;
}

/* ---- comparison ---- */

struct totals {
	unsigned programs, wrong, too_big;
	size_t graphs, repeated, lost, invented;
};

static void add(struct totals *sum, const struct rc_program *p, const struct rc_keys *want, const struct rc_keys *found,
	bool whole, const char *what)
{
	size_t repeated = rc_repeated(found), lost = rc_missing(want, found), invented = rc_missing(found, want);
	bool wrong = !whole || repeated || lost || invented;
	sum->programs++;
	sum->graphs += found->n;
	sum->repeated += repeated;
	sum->lost += lost;
	sum->invented += invented;
	sum->wrong += wrong;
	if (wrong && what) {
		rc_print(p);
		printf("\t%s: whole %d, %zu graphs of %zu, %zu repeated, %zu lost, %zu invented\n", what, whole,
			found->n, want->n, repeated, lost, invented);
	}
}

static void compare(
	const struct rc_program *p, const struct rc_keys *want, uint32_t without, unsigned most, struct totals *sum)
{
	struct rc_keys found = {0};
	if (all_graphs(p, without, most, &found))
		add(sum, p, want, &found, true, without & ~STRENGTHENED ? NULL : "all orders");
	else
		sum->too_big++;
	rc_free(&found);
}

static void compare_search(
	const struct rc_program *p, const struct rc_keys *want, uint32_t shuffle, struct totals *sum)
{
	struct rc_keys found = {0};
	bool whole = searched_graphs(p, shuffle, &found);
	add(sum, p, want, &found, whole, shuffle ? "strategy, shuffled" : "strategy");
	rc_free(&found);
}

enum { RULES = 7 };
static const uint32_t rules[RULES] = {RC11_WITHOUT_PSC, RC11_WITHOUT_RELEASE_SEQUENCE, RC11_WITHOUT_OLD_PLACES,
	RC11_WITHOUT_FENCES, RC11_WITHOUT_LONG_CYCLES, WITHOUT_CALLS, WITHOUT_STORES};

static void print(const char *what, const struct totals *t)
{
	print_message("%s: %u programs (%u too big), %zu graphs, %zu repeated, %zu lost, %zu invented, %u wrong\n",
		what, t->programs, t->too_big, t->graphs, t->repeated, t->lost, t->invented, t->wrong);
}

static void litmus_tests(void **state)
{
	struct totals sum = {0}, strategy = {0}, strengthened = {0}, broken[RULES] = {{0}};
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
	print("litmus", &sum);
	print("litmus, strategy", &strategy);
	print("litmus, strengthened", &strengthened);
	assert_int_equal(sum.wrong + sum.too_big + strategy.wrong + strengthened.wrong, 0);
	assert_true(strengthened.programs > 0);
	for (unsigned k = 0; k < RULES; k++) /* each rule is needed */
		assert_true(broken[k].wrong > 0);
}

/* Compares n random programs. */
static void programs(unsigned n, unsigned with)
{
	struct totals sum = {0}, strategy = {0}, strengthened = {0};
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
	print("all orders", &sum);
	print("strategy", &strategy);
	print("strengthened", &strengthened);
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
