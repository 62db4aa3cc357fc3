/*
 * TruSt finds exactly the traces that brute force finds, each once: random tiny programs, shuffled thread orders, and known numbers of traces.
 * The oracle is the same as in test_explore_sets.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_INTERLEAVINGS 400

static uint64_t seed = 20240311; /* or SEED from the environment */
static struct toy toy;
static _Alignas(16) char memory[8 << 20];

struct totals {
	uint64_t programs, too_big, executions, redundant;
};
static struct totals all;

/* `assumed`: traces that end at a failed assumption. They are counted separately. */
static void check(struct totals *sum, struct toy_program *p, const struct toy_set *traces, const struct toy_set *assumed, uint32_t shuffle)
{
	struct explore_config config = {.strategy = STRATEGY_TRUST, .shuffle = shuffle};
	struct strategy s;
	struct toy_set found = {0}, found_assumed = {0};
	enum run_verdict verdict;
	uint64_t twice = 0, runs = 0;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	const struct explore_stats *st = explore_stats(memory);
	while (runs++ < 10000 && toy_run(&toy, &s, &verdict)) {
		if (st->executions > found.n + twice)
			twice += !toy_set_add(&found, toy_hash_of(&toy));
		else if (st->assumed > found_assumed.n)
			toy_set_add(&found_assumed, toy_hash_of(&toy));
	}
	size_t lost = toy_set_missing(traces, &found) + toy_set_missing(assumed, &found_assumed);
	size_t invented = toy_set_missing(&found, traces) + toy_set_missing(&found_assumed, assumed);
	bool quiet = st->finished && !st->cut && !st->diverged && !st->out_of_memory && !st->renamed;
	sum->executions += st->executions;
	sum->redundant += st->blocked;
	toy_set_clear(&found);
	toy_set_clear(&found_assumed);
	if (!lost && !invented && !twice && st->executions == traces->n && st->assumed == assumed->n && st->distinct_traces == traces->n && quiet)
		return;
	print_error("shuffle %u: lost %zu, invented %zu, twice %lu, executions %lu, redundant %lu, traces %zu; finished %u diverged %u memory %u renamed %u\n",
		shuffle, lost, invented, (unsigned long)twice, (unsigned long)st->executions, (unsigned long)st->blocked, traces->n,
		st->finished, st->diverged, st->out_of_memory, st->renamed);
	toy_print(p);
	fail();
}

/* Tests `n` programs with these features that are small enough. At most `percent` of the executions may be redundant. */
static void programs(unsigned features, unsigned n, unsigned percent)
{
	struct totals sum = {0};
	n = toy_random_part(n);
	for (uint64_t i = 0; sum.programs < n; i++) {
		struct toy_program p;
		struct toy_set traces = {0}, assumed = {0};
		uint64_t runs;
		toy_random(&p, features, seed, i);
		toy_init(&toy, &p);
		toy_forget(&toy);
		if (!toy_oracle_assumed(&toy, &traces, &assumed, MOST_INTERLEAVINGS, &runs)) {
			sum.too_big++;
			toy_set_clear(&traces);
			toy_set_clear(&assumed);
			continue;
		}
		sum.programs++;
		check(&sum, &p, &traces, &assumed, i % 3 ? 0 : (uint32_t)i + 1);
		toy_set_clear(&traces);
		toy_set_clear(&assumed);
	}
	all.programs += sum.programs;
	all.executions += sum.executions;
	all.redundant += sum.redundant;
	print_message("seed %lu features %#x: %lu programs (%lu too big), %lu executions, %lu redundant\n", (unsigned long)seed, features,
		(unsigned long)sum.programs, (unsigned long)sum.too_big, (unsigned long)sum.executions, (unsigned long)sum.redundant);
	assert_true(sum.redundant * 100 <= sum.executions * percent || sum.executions < 1000); /* too few executions say nothing about a percentage */
}

static void memory_only(void **state)
{
	programs(TOY_F_MEM, 700, 0);
	programs(TOY_F_MEM | TOY_F_RMW, 700, 0);
	programs(TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS, 400, 0);
}

static void bytes(void **state)
{
	programs(TOY_F_MEM | TOY_F_BYTES, 500, 0);
	programs(TOY_F_RMW | TOY_F_BYTES, 400, 25);
	programs(TOY_F_MEM | TOY_F_RMW | TOY_F_BYTES, 500, 25);
}

static void locks(void **state)
{
	programs(TOY_F_LOCK, 450, 0);
	programs(TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM, 450, 0);
}

static void semaphores(void **state)
{
	programs(TOY_F_SEM, 450, 5);
	programs(TOY_F_SEM | TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM | TOY_F_RMW, 450, 5);
}

static void conditions(void **state)
{
	programs(TOY_F_COND | TOY_F_LOCK, 450, 0);
	programs(TOY_F_COND | TOY_F_TIMED | TOY_F_MEM, 350, 0);
	programs(TOY_F_COND | TOY_F_SPURIOUS, 500, 1);
}

static void rwlocks(void **state)
{
	programs(TOY_F_RW | TOY_F_MEM, 400, 0);
	programs(TOY_F_RW | TOY_F_LOCK | TOY_F_SEM, 400, 0);
	programs(TOY_F_RW_ALL, 800, 1);
	programs(TOY_F_RW_ALL | TOY_F_LOCK | TOY_F_MEM, 400, 1);
}

static void others(void **state)
{
	programs(TOY_F_ONCE | TOY_F_MEM | TOY_F_LOCK, 300, 0);
	programs(TOY_F_BARRIER | TOY_F_LOCK, 400, 10);
	programs(TOY_F_BARRIER | TOY_F_MEM | TOY_F_SEM, 400, 10);
}

static void futexes(void **state)
{
	programs(TOY_F_FUTEX | TOY_F_LOCK, 300, 10);
	programs(TOY_F_FUTEX | TOY_F_MEM, 400, 10);
	programs(TOY_F_FUTEX | TOY_F_MEM | TOY_F_RMW, 350, 30);
}

static void spins(void **state)
{
	programs(TOY_F_SPIN, 350, 0);
	programs(TOY_F_SPIN | TOY_F_MEM | TOY_F_RMW, 350, 0);
	programs(TOY_F_SPIN | TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS, 200, 0);
	programs(TOY_F_SPIN | TOY_F_LOCK | TOY_F_MEM | TOY_F_NOJOIN, 200, 10);
}

/* Each ticket is a spin loop of its own. The traces are the orders in which the tickets are taken. */
static void ticket_lock(void **state)
{
	static const struct { unsigned threads, rounds, traces; } locks[] = {{2, 1, 2}, {2, 2, 6}, {2, 3, 20}, {3, 1, 6}};
	for (unsigned k = 0; k < sizeof locks / sizeof *locks; k++) {
		struct toy_program p = {.name = "ticket lock"};
		struct toy_set traces = {0}, none = {0};
		uint64_t runs;
		toy_ticket_lock(&p, locks[k].threads, locks[k].rounds);
		toy_init(&toy, &p);
		toy_forget(&toy);
		assert_true(toy_oracle(&toy, &traces, 1000000, &runs));
		assert_int_equal(traces.n, locks[k].traces);
		for (uint32_t shuffle = 0; shuffle < 4; shuffle++)
			check(&all, &p, &traces, &none, shuffle);
		toy_set_clear(&traces);
	}
}

static void ends(void **state)
{
	programs(TOY_F_DIE | TOY_F_MEM, 350, 0);
	programs(TOY_F_NOJOIN | TOY_F_MEM | TOY_F_LOCK, 300, 5);
	programs(TOY_F_LATE_EXIT | TOY_F_MEM | TOY_F_LOCK, 300, 5);
	programs(TOY_F_LATE_EXIT | TOY_F_COND | TOY_F_LOCK, 100, 5);
	programs(TOY_F_LATE_EXIT | TOY_F_SPIN | TOY_F_MEM, 100, 10);
}

static void choices(void **state)
{
	programs(TOY_F_CHOOSE | TOY_F_MEM, 100, 0);
	programs(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_MEM, 100, 0);
	programs(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM | TOY_F_RMW, 80, 0);
	programs(TOY_F_CHOOSE | TOY_F_COND | TOY_F_TIMED | TOY_F_ASSUME, 60, 0);
	programs(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_DIE | TOY_F_MEM, 80, 0);
	programs(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_NOJOIN | TOY_F_MEM, 60, 0);
}

static void enough(void **state)
{
	print_message("%lu programs, %lu executions, %lu redundant\n", (unsigned long)all.programs, (unsigned long)all.executions,
		(unsigned long)all.redundant);
	assert_true(all.programs >= toy_random_part(10000));
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed = test_seed(seed);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_only), cmocka_unit_test(bytes), cmocka_unit_test(locks), cmocka_unit_test(semaphores),
		cmocka_unit_test(conditions), cmocka_unit_test(rwlocks), cmocka_unit_test(others), cmocka_unit_test(futexes),
		cmocka_unit_test(spins), cmocka_unit_test(ticket_lock), cmocka_unit_test(ends), cmocka_unit_test(choices), cmocka_unit_test(enough),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
