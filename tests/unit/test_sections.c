/*
 * Sections as steps (sched/section.h): on random tiny programs, the search finds exactly the classes that brute force finds.
 *
 * The oracle runs all interleavings of the events, without steps. It identifies an execution by what its events would be dependent with if
 * the sections that are no longer open were steps. Deadlocks are executions like others. With rules that are too weak, classes are lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/strategy.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_INTERLEAVINGS 2000

static uint64_t seed = 20261123;
static struct toy toy;
static struct section_table table;
static uint32_t without; /* enum section_rule */
static _Alignas(16) char memory[8 << 20];

struct totals {
	uint64_t programs, too_big, interleavings, traces, executions, blocked, lost, invented, repeated, wrong, open, plain;
};

/* Searches the program from the beginning until the table of sections stays the same. Returns the number of repeated executions. The search is plain
   while no section may be a step; every other one begins with steps, as a warm-up does. */
static uint64_t search(struct toy_program *p, uint32_t shuffle, struct toy_set *found, struct totals *sum)
{
	struct explore_config config = {.strategy = STRATEGY_OPTIMAL, .shuffle = shuffle, .regions = REGION_SECTIONS};
	struct strategy s;
	enum run_verdict verdict;
	uint64_t repeated;
	bool may_be_plain = shuffle % 2;
	do {
		repeated = 0;
		toy_set_clear(found);
		sections_apply(&table);
		config.regions = sections_start(&table, may_be_plain) ? REGION_SECTIONS : 0;
		sum->plain += table.plain;
		may_be_plain = true;
		toy_init(&toy, p);
		toy.sections = &table;
		toy.classes = NULL;
		assert_true(explore_create(&config, memory, sizeof memory));
		assert_true(explore_attach(memory, sizeof memory, &s));
		while (toy_run(&toy, &s, &verdict))
			if (verdict != RUN_CUT)
				repeated += !toy_set_add(found, toy_hash_of(&toy));
	} while (sections_news(&table));
	const struct explore_stats *st = explore_stats(memory);
	assert_true(st->finished && !st->cut && !st->diverged && !st->out_of_memory);
	sum->executions += st->executions;
	sum->blocked += st->blocked;
	sum->open += table.applied + 1000 * table.off;
	return repeated;
}

static bool check(struct toy_program *p, uint32_t shuffle, struct totals *sum)
{
	struct toy_set found = {0}, classes = {0};
	uint64_t runs;
	memset(&table, 0, sizeof table);
	table.without = without;
	uint64_t repeated = search(p, shuffle, &found, sum);
	toy_init(&toy, p);
	toy.sections = NULL;
	toy.classes = &table;
	assert_true(toy_oracle(&toy, &classes, UINT64_MAX, &runs));
	size_t lost = toy_set_missing(&classes, &found), invented = toy_set_missing(&found, &classes);
	sum->lost += lost;
	sum->invented += invented;
	sum->repeated += repeated;
	sum->wrong += lost || invented;
	toy.classes = NULL;
	toy_set_clear(&found);
	toy_set_clear(&classes);
	return !lost && !invented;
}

/* Tests n programs. Without must_hold, it stops at the first one that loses a class. */
static struct totals programs(unsigned features, unsigned n, bool must_hold)
{
	struct totals sum = {0};
	n = must_hold ? toy_random_part(n) : n;
	for (uint64_t i = 0; sum.programs < n && (must_hold || !sum.lost); i++) {
		struct toy_program p;
		struct toy_set traces = {0};
		uint64_t runs;
		toy_random(&p, features, seed, i);
		toy_init(&toy, &p);
		toy.sections = NULL;
		toy.classes = NULL;
		bool small = toy_oracle(&toy, &traces, MOST_INTERLEAVINGS, &runs);
		if (small) {
			sum.programs++;
			sum.interleavings += runs;
			sum.traces += traces.n;
			for (uint32_t shuffle = 0; shuffle < 2; shuffle++)
				if (!check(&p, shuffle ? (uint32_t)i + 1 : 0, &sum) && must_hold) {
					toy_print(&p);
					print_error("program %lu, shuffle %u: lost %lu, invented %lu\n", (unsigned long)i, shuffle, (unsigned long)sum.lost,
						(unsigned long)sum.invented);
					fail();
				}
		} else {
			sum.too_big++;
		}
		toy_set_clear(&traces);
	}
	print_message("seed %lu features %#x: %lu programs (%lu too big), %lu interleavings, %lu traces; twice %lu executions, %lu blocked, "
		      "%lu repeated, %lu open; %lu lost, %lu invented in %lu\n", (unsigned long)seed, features, (unsigned long)sum.programs, (unsigned long)sum.too_big,
		(unsigned long)sum.interleavings, (unsigned long)sum.traces, (unsigned long)sum.executions, (unsigned long)sum.blocked,
		(unsigned long)sum.repeated, (unsigned long)sum.open, (unsigned long)sum.lost, (unsigned long)sum.invented, (unsigned long)sum.wrong);
	return sum;
}

static void exact(unsigned features, unsigned n)
{
	struct totals sum = programs(features, n, true);
	assert_int_equal(sum.repeated, 0);
}

static void sections(void **state)
{
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_LOCK, 300);
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_RMW, 300);
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS, 200);
}

static void mixed(void **state)
{
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_LOCK | TOY_F_TRY, 300);
	exact(TOY_F_SECTIONS | TOY_F_COND, 300);
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_COND, 300);
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_COND | TOY_F_TIMED, 200);
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_COND | TOY_F_SPURIOUS, 100);
	exact(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_SEM, 200);
}

/* Each rule is needed: without it, classes are lost. */
static void broken(void **state)
{
	static const unsigned features = TOY_F_SECTIONS | TOY_F_MEM | TOY_F_LOCK | TOY_F_TRY;
	for (without = RULE_ONE_UNGUARDED; without <= RULE_GUARD; without *= 2)
		assert_true(programs(features, 300, false).lost > 0);
	without = RULE_GUARD;
	assert_true(programs(TOY_F_SECTIONS | TOY_F_MEM | TOY_F_COND, 3000, false).lost > 0);
	without = 0;
}

/* Adds a section of mutex m that adds 1 to variable x without an atomic operation. */
static void increment(struct toy_program *p, unsigned t, int m, int x)
{
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, x, 0, 0, 0);
	toy_add(p, t, TOY_STORE, x, 1, 1, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* Adds a section of mutex m that stores 1 to variable 0 and signals condition 0. */
static void store_and_signal(struct toy_program *p, unsigned t, int m)
{
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, 0, 1, 0, 0, 0);
	toy_add(p, t, TOY_SIGNAL, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

static uint64_t classes_of(struct toy_program *p)
{
	struct toy_set found = {0};
	struct totals sum = {0};
	memset(&table, 0, sizeof table);
	table.without = without;
	assert_int_equal(search(p, 0, &found, &sum), 0);
	uint64_t n = found.n;
	toy_set_clear(&found);
	return n;
}

/* Sections of one mutex that share no data are not ordered, those that share some are. */
static void by_hand(void **state)
{
	struct toy_program apart = {.name = "apart", .threads = 1}, shared = {.name = "shared", .threads = 1};
	for (unsigned t = 1; t <= 3; t++) {
		increment(&apart, t, 0, 2 * (int)t);
		increment(&shared, t, 0, 0);
	}
	toy_main(&apart);
	toy_main(&shared);
	assert_int_equal(classes_of(&apart), 1);
	assert_int_equal(classes_of(&shared), 6);
}

/* A thread changes its statistics in a section, and makes an item in another one; a second thread waits for the item.
   The order with the statistics does not count. */
static void wait_for_item(void **state)
{
	struct toy_program p = {.name = "item", .threads = 1};
	increment(&p, 1, 0, 2);
	store_and_signal(&p, 1, 0);
	toy_add(&p, 2, TOY_LOCK, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_LOAD, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_SKIP_EQ, 0, 1, 1, 0, 0);
	toy_add(&p, 2, TOY_WAIT, 0, 0, 1, 0, 0);
	toy_add(&p, 2, TOY_UNLOCK, 0, 0, 0, 0, 0);
	toy_main(&p);
	assert_int_equal(classes_of(&p), 2);
}

/* Four threads, two of which take two locks in one order and one in the other: in a deadlock, threads wait at the lock of a section that is a step, so the
   section that they would enter is not in the trace. */
static void pending_section(void **state)
{
	struct toy_program p;
	struct totals sum = {0};
	toy_random(&p, TOY_F_SECTIONS | TOY_F_MEM | TOY_F_LOCK, 20261128, 42);
	for (uint32_t shuffle = 0; shuffle < 4; shuffle++)
		assert_true(check(&p, shuffle, &sum));
	assert_int_equal(sum.repeated, 0);
}

/* A section of one mutex signals a condition that another thread waits on with another mutex. The other thread may read
   what the section has stored, and begin to wait before the signal: so the signal does not commute with all that others
   do. */
static void signal_with_other_mutex(void **state)
{
	struct toy_program p = {.name = "other mutex", .threads = 1};
	struct totals sum = {0}, broken = {0};
	store_and_signal(&p, 1, 1);
	toy_add(&p, 2, TOY_LOAD, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_LOCK, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_WAIT, 0, 0, 1, 0, 0);
	toy_add(&p, 2, TOY_UNLOCK, 0, 0, 0, 0, 0);
	toy_main(&p);
	assert_true(check(&p, 0, &sum) && check(&p, 1, &sum));
	without = RULE_CONDITION;
	assert_false(check(&p, 0, &broken));
	without = 0;
	assert_true(broken.lost > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand), cmocka_unit_test(wait_for_item), cmocka_unit_test(pending_section),
		cmocka_unit_test(signal_with_other_mutex),
		cmocka_unit_test(sections),
		cmocka_unit_test(mixed), cmocka_unit_test(broken),
	};
	seed = test_seed(seed);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
