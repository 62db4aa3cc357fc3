/*
 * RC11: explore/graph/graph.h finds exactly the consistent graphs that an oracle finds, each once. Litmus tests with
 * known numbers, and random programs with all orders, read-modify-writes, orders of failure, fences, creation and
 * joining. Without one of the rules of the model it does not. So it does if what is left is divided on the way.
 *
 * An execution ends at a race, and what would have followed is lost. So of a program with races, the search must find
 * one, each that it finds must be one of the oracle's, and each complete execution must be a graph without races. If it
 * does not look for races, it finds all graphs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/lib_rc11.h"
#include "tests/unit/lib_rc11_litmus.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_CANDIDATES 10000
/* Rules that tests leave out: those of enum rc11_without, and that threads which wait take part in revisits. */
enum {
	WITHOUT_OLD_PLACES = 3,
	WITHOUT_BLOCKED = 5,
	OF_RACES = 9,
	RULES = 13
};
static const uint32_t rules[RULES] = {RC11_WITHOUT_PSC, RC11_WITHOUT_FAIL_ORDER, RC11_WITHOUT_RELEASE_SEQUENCE,
	RC11_WITHOUT_OLD_PLACES, RC11_WITHOUT_FENCES, RC_WITHOUT_BLOCKED, RC11_WITHOUT_LONG_CYCLES,
	RC_DIVIDED_TWICE, RC_DIVIDED_LOST,
	RC11_WITHOUT_PLAIN_BEFORE, RC11_WITHOUT_PLAIN_AFTER, RC11_WITHOUT_RACING_LOADS, RC11_WITHOUT_RACES_BY_HB};
static const char *const names[RULES] = {"without psc", "without orders of failure", "without release sequences",
	"without older places", "without fences", "without threads that wait", "without long cycles",
	"with parts explored twice", "with lost parts",
	"without races with an earlier plain access", "without races of a plain access with an atomic one",
	"without races of loads", "without happens-before for races"};

struct totals {
	unsigned programs, too_big, wrong, racy;
	uint64_t races, graphs, executions, repeated, lost, invented;
};

/* Returns how many pairs of lines race according to a, but not to b. */
static size_t other_races(const struct rc_keys *a, const struct rc_keys *b)
{
	size_t n = 0;
	for (unsigned i = 0; i < RC_NAMES; i++)
		for (unsigned j = 0; j < i; j++)
			n += a->race[i][j] && !b->race[i][j];
	return n;
}

/* Compares the graphs of a program with those of the oracle: they must be the same, and no graph may come twice. With
   `partly`, graphs may be missing, but a race must be found. */
static void compare_graphs(const struct rc_program *p, const struct rc_keys *want, bool partly, uint32_t shuffle,
	uint32_t without, struct totals *sum)
{
	struct rc_keys found = {0};
	struct graph_stats stats;
	bool whole = rc_search(p, shuffle, without, &found, &stats);
	rc_sort(&found);
	size_t repeated = rc_repeated(&found), lost = partly ? 0 : rc_missing(want, &found),
	       invented = rc_missing(&found, want) + other_races(&found, want);
	bool good =
		whole && !repeated && !lost && !invented && stats.executions == found.n && partly == (stats.races > 0);
	sum->races += stats.races;
	sum->executions += stats.executions;
	sum->repeated += repeated;
	sum->lost += lost;
	sum->invented += invented;
	sum->wrong += !good;
	if (!good && !(without & ~RC_DIVIDED)) {
		rc_print(p);
		printf("\twhole %d, shuffle %u, %x: %zu graphs of %zu, ", whole, shuffle, without, found.n, want->n);
		printf("%zu repeated, %zu lost, %zu invented, %lu races\n", repeated, lost, invented,
			(unsigned long)stats.races);
	}
	rc_free(&found);
}

/* Compares the graphs and races of a program with those of the oracle. */
static void compare(
	const struct rc_program *p, const struct rc_keys *want, uint32_t shuffle, uint32_t without, struct totals *sum)
{
	bool racy = rc_racy(want);
	compare_graphs(p, want, racy, shuffle, without, sum);
	if (!without)
		compare_graphs(p, want, racy, shuffle, RC_DIVIDED, sum);
	if (!racy || without)
		return;
	struct rc_keys all = *want;
	all.key = memcpy(test_malloc(want->n * sizeof *want->key), want->key, want->n * sizeof *want->key);
	rc_forget_races(&all);
	compare_graphs(p, &all, false, shuffle, RC11_WITHOUT_RACES, sum);
	test_free(all.key);
}

static void litmus_test(const struct litmus *l, bool races, struct totals *sum, struct totals broken[RULES])
{
	struct rc_program p;
	struct rc_keys want = {0};
	assert_true(rc_read(&p, l->text));
	assert_true(rc_oracle(&p, UINT64_MAX, &want));
	rc_sort(&want);
	if (want.n != l->graphs)
		printf("%s: the oracle finds %zu graphs, not %u\n", l->name, want.n, l->graphs);
	assert_int_equal(want.n, l->graphs);
	assert_int_equal(rc_racy(&want) > 0, races);
	for (uint32_t shuffle = 0; shuffle < 4; shuffle++)
		compare(&p, &want, shuffle, 0, sum);
	for (unsigned k = 0; k < RULES; k++)
		compare(&p, &want, 0, rules[k], &broken[k]);
	rc_free(&want);
}

static void litmus_tests(void **state)
{
	struct totals sum = {0}, broken[RULES] = {{0}};
	for (size_t i = 0; i < sizeof litmus / sizeof *litmus; i++)
		litmus_test(&litmus[i], false, &sum, broken);
	for (size_t i = 0; i < sizeof litmus_races / sizeof *litmus_races; i++)
		litmus_test(&litmus_races[i], true, &sum, broken);
	assert_int_equal(sum.wrong, 0);
	for (unsigned k = 0; k < RULES; k++) /* each rule is needed */
		assert_true(broken[k].wrong > 0);
}

static void print_totals(const char *what, const struct totals *sum)
{
	print_message("%s: %u programs (%u too big), %lu graphs, %lu executions, %lu repeated, %lu lost, %lu invented, "
		      "%u with races, %lu races, %u wrong\n",
		what, sum->programs, sum->too_big, (unsigned long)sum->graphs, (unsigned long)sum->executions,
		(unsigned long)sum->repeated, (unsigned long)sum->lost, (unsigned long)sum->invented, sum->racy,
		(unsigned long)sum->races, sum->wrong);
}

/* Compares n random programs, in two orders of their threads, and without each rule. */
static struct totals programs(unsigned n, unsigned with, struct totals broken[RULES])
{
	struct totals sum = {0};
	uint64_t draw = test_seed(20261123) + with;
	for (unsigned i = 0; i < n; i++) {
		struct rc_program p;
		struct rc_keys want = {0};
		rc_draw(&p, &draw, with);
		if (rc_oracle(&p, MOST_CANDIDATES, &want)) {
			rc_sort(&want);
			sum.programs++;
			sum.racy += rc_racy(&want) > 0;
			sum.graphs += want.n;
			compare(&p, &want, 0, 0, &sum);
			compare(&p, &want, i + 1, 0, &sum);
			for (unsigned k = 0; broken && k < (with & RC_PLAIN ? RULES : OF_RACES); k++)
				compare(&p, &want, 0, rules[k], &broken[k]);
		} else {
			sum.too_big++;
		}
		rc_free(&want);
	}
	print_totals("all rules", &sum);
	return sum;
}

static void random_programs(void **state)
{
	struct totals broken[RULES] = {{0}}, sum = programs(toy_random_part(2000), 0, broken);
	for (unsigned k = 0; k < OF_RACES; k++)
		print_totals(names[k], &broken[k]);
	assert_int_equal(sum.wrong, 0);
	assert_true(sum.programs > sum.too_big);
	/* Few programs need one of the rules; the litmus tests show that each one is needed. */
	assert_true(sum.programs < 50 || broken[WITHOUT_OLD_PLACES].lost > 0);
}

static void creation_and_joining(void **state)
{
	assert_int_equal(programs(toy_random_part(600), RC_JOINS, NULL).wrong, 0);
}

static void mutexes(void **state)
{
	assert_int_equal(programs(toy_random_part(2000), RC_LOCKS, NULL).wrong, 0);
	assert_int_equal(programs(toy_random_part(600), RC_LOCKS | RC_JOINS, NULL).wrong, 0);
}

/* Sections overlap, and threads may deadlock. */
static void nested_mutexes(void **state)
{
	struct totals broken[RULES] = {{0}}, sum = programs(toy_random_part(2000), RC_LOCKS | RC_NESTED, broken);
	print_totals(names[WITHOUT_BLOCKED], &broken[WITHOUT_BLOCKED]);
	assert_int_equal(sum.wrong, 0);
	assert_true(sum.programs < 50 || (2 * sum.programs > sum.too_big && broken[WITHOUT_BLOCKED].lost > 0));
	assert_int_equal(programs(toy_random_part(1000), RC_LOCKS | RC_NESTED | RC_JOINS, NULL).wrong, 0);
}

static void plain_accesses(void **state)
{
	struct totals broken[RULES] = {{0}}, sum = programs(toy_random_part(2000), RC_PLAIN, broken);
	assert_int_equal(sum.wrong, 0);
	sum = programs(toy_random_part(1000), RC_PLAIN | RC_LOCKS, broken);
	assert_int_equal(sum.wrong, 0);
	assert_true(sum.programs < 50 || (sum.racy && sum.racy < sum.programs));
	for (unsigned k = OF_RACES; k < RULES; k++) {
		print_totals(names[k], &broken[k]);
		assert_true(sum.programs < 400 || broken[k].wrong > 0);
	}
	assert_int_equal(programs(toy_random_part(600), RC_PLAIN | RC_JOINS, NULL).wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(litmus_tests),
		cmocka_unit_test(random_programs),
		cmocka_unit_test(creation_and_joining),
		cmocka_unit_test(mutexes),
		cmocka_unit_test(nested_mutexes),
		cmocka_unit_test(plain_accesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
