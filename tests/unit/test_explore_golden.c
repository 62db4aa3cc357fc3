/*
 * Known numbers of traces, on which two independent checkers agree, for toy versions of the golden programs. Checked for optimal, trust (also
 * shuffled) and source. Optimal and trust have no redundant executions. Also checks the estimates of a search's size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/unit/lib_toy.h"
#include "tests/unit/lib_toy_random.h"

static struct toy toy;
static _Alignas(16) char memory[32 << 20];

/*
 * The estimate: what must always hold, and how accurate it is. Searches of at least LARGE executions are asked at 1, 10 and 50 % of the work.
 * The factors are those measured with these programs, plus a margin. An estimate from planned branches alone was 50 times too small at 1 %.
 */
#define LARGE 500
static const struct {
	unsigned percent, small, big; /* the estimate is at least 1/small of the truth, and at most big times it */
} asked[] = {{1, 8, 10}, {10, 4, 8}, {50, 2, 3}};

/* How often a range is shown, and how often the true number is in it, by the explored share. */
static const struct {
	const char *name;
	unsigned per_mille;
} share[] = {{"up to 1 %", 10}, {"1 to 10 %", 100}, {"10 to 50 %", 500}, {"above 50 %", 1000}};
#define SHARES (sizeof(share) / sizeof(*share))
static unsigned moments[SHARES], shown[SHARES], in_range[SHARES];

static void check_range(const struct explore_stats *st, uint64_t expected)
{
	unsigned k = 0;
	while (k + 1 < SHARES && st->executions * 1000 > expected * share[k].per_mille)
		k++;
	moments[k]++;
	if (!explore_estimate_known(st))
		return;
	shown[k]++;
	in_range[k] += st->estimate_low <= expected && expected <= st->estimate_high;
}

static void check_estimate(const struct explore_stats *st, const char *name, uint64_t expected, unsigned *next, uint64_t *next_moment)
{
	if (!st->executions)
		return;
	assert_true(st->executions <= st->estimate_low);
	assert_true(st->estimate_low <= st->estimate);
	assert_true(st->estimate <= st->estimate_high);
	if (expected >= LARGE && st->executions < expected && st->executions >= *next_moment) {
		*next_moment = st->executions + st->executions / 4 + 1;
		check_range(st, expected);
	}
	if (expected < LARGE || *next >= 3 || st->executions * 100 < expected * asked[*next].percent)
		return;
	if (st->estimate < expected / asked[*next].small || st->estimate > expected * asked[*next].big) {
		print_error("%s: estimate %lu at %u %% of %lu\n", name, (unsigned long)st->estimate,
			asked[*next].percent, (unsigned long)expected);
		fail();
	}
	(*next)++;
}

static void estimates(void **state)
{
	for (unsigned k = 0; k < SHARES; k++) {
		print_message("%s: shown %u of %u times, the truth was in the range %u times\n", share[k].name, shown[k], moments[k], in_range[k]);
		assert_true(in_range[k] * 10 >= shown[k] * 9);
	}
	assert_true(shown[2] * 10 >= moments[2] * 7 && shown[3] * 10 >= moments[3] * 8 && shown[1] * 3 >= moments[1]);
}

static void count(struct toy_program *p, const char *name, unsigned strategy, uint32_t shuffle, uint64_t expected)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffle};
	struct strategy s;
	enum run_verdict verdict;
	p->name = name;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	const struct explore_stats *st = explore_stats(memory);
	unsigned next = 0;
	uint64_t next_moment = 0;
	while (toy_run(&toy, &s, &verdict))
		if (strategy != STRATEGY_TRUST) /* trust has none */
			check_estimate(st, name, expected, &next, &next_moment);
	assert_int_equal(st->estimate, st->executions);
	assert_true(st->estimate_low == st->estimate && st->estimate_high == st->estimate);
	if (st->executions != expected)
		print_error("%s: %s, shuffle %u: %lu executions, expected %lu\n", name, explore_strategy_name(strategy),
			shuffle, (unsigned long)st->executions, (unsigned long)expected);
	assert_int_equal(st->executions, expected);
	assert_int_equal(st->distinct_traces, expected);
	assert_int_equal(st->finished, 1);
	assert_int_equal(st->cut + st->out_of_memory + st->diverged + st->infeasible, 0);
	if (strategy != STRATEGY_SOURCE)
		assert_int_equal(st->blocked, 0);
}

/* With auto, each bound explores earlier traces again; each trace is counted once. */
static void count_auto(struct toy_program *p, const char *name, uint32_t shuffle, uint64_t expected)
{
	struct explore_config config = {.strategy = STRATEGY_AUTO, .shuffle = shuffle};
	struct strategy s;
	enum run_verdict verdict;
	p->name = name;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	const struct explore_stats *st = explore_stats(memory);
	while (toy_run(&toy, &s, &verdict))
		assert_true(!st->estimate || (st->executions <= st->estimate_low && st->estimate_low <= st->estimate));
	assert_int_equal(st->distinct_traces, expected);
	assert_true(st->executions >= expected && st->finished);
	assert_int_equal(st->estimate, st->executions);
	assert_int_equal(st->blocked + st->cut + st->out_of_memory + st->diverged + st->infeasible, 0);
}

static void expect(struct toy_program *p, const char *name, uint64_t expected)
{
	toy_main(p);
	count(p, name, STRATEGY_OPTIMAL, 0, expected);
	count(p, name, STRATEGY_OPTIMAL, 1, expected);
	count(p, name, STRATEGY_OPTIMAL, 99, expected);
	count(p, name, STRATEGY_SOURCE, 0, expected);
	count(p, name, STRATEGY_TRUST, 0, expected);
	count(p, name, STRATEGY_TRUST, 99, expected);
	count_auto(p, name, 0, expected);
	count_auto(p, name, 99, expected);
}

/* A program with the same traces with store buffers as without. */
static void expect_robust(struct toy_program *p, const char *name, uint64_t expected)
{
	expect(p, name, expected);
	for (p->model = MODEL_TSO; p->model <= MODEL_PSO; p->model++) {
		count(p, name, STRATEGY_OPTIMAL, 0, expected);
		count(p, name, STRATEGY_OPTIMAL, 99, expected);
	}
}

#define LD(t, x) toy_add(&p, t, TOY_LOAD, 0, x, 0, 0, 0)
#define ST(t, x, n) toy_add(&p, t, TOY_STORE, x, n, 0, 0, 0)
#define LOCK(t, m) toy_add(&p, t, TOY_LOCK, m, 0, 0, 0, 0)
#define UNLOCK(t, m) toy_add(&p, t, TOY_UNLOCK, m, 0, 0, 0, 0)
enum { X, Y };

static void litmus(void **state)
{
	{ struct toy_program p = {0}; ST(1, X, 1); LD(1, Y); ST(2, Y, 1); LD(2, X); expect(&p, "SB", 3); }
	{ struct toy_program p = {0}; LD(1, Y); ST(1, X, 1); LD(2, X); ST(2, Y, 1); expect(&p, "LB", 3); }
	{ struct toy_program p = {0}; ST(1, X, 1); ST(1, Y, 1); LD(2, Y); LD(2, X); expect(&p, "MP", 3); }
	{ struct toy_program p = {0}; ST(1, X, 1); ST(2, Y, 1); LD(3, X); LD(3, Y); LD(4, Y); LD(4, X);
	  expect(&p, "IRIW", 15); }
	{ struct toy_program p = {0}; ST(1, X, 1); ST(1, Y, 2); ST(2, Y, 1); ST(2, X, 2); expect(&p, "2+2W", 3); }
	{ struct toy_program p = {0}; ST(1, X, 1); ST(1, Y, 1); ST(2, Y, 2); LD(2, X); expect(&p, "Rtest", 3); }
	{ struct toy_program p = {0}; ST(1, X, 1); LD(2, X); LD(2, X); expect(&p, "CoRR", 3); }
	{ struct toy_program p = {0}; ST(1, X, 1); LD(2, X); ST(2, Y, 1); LD(3, Y); LD(3, X); expect(&p, "WRC", 7); }
	{ struct toy_program p = {0}; ST(1, X, 1); LD(2, X); LD(2, Y); ST(3, Y, 1); LD(3, X); expect(&p, "RWC", 7); }
	{ struct toy_program p = {0}; ST(1, X, 1); LD(1, X); LD(1, Y); ST(2, Y, 1); LD(2, Y); LD(2, X);
	  expect(&p, "SBrfi", 3); }
}

static void readers_writers(void **state)
{
	for (unsigned n = 2; n <= 10; n++) {
		struct toy_program p = {0};
		ST(1, X, 1);
		for (unsigned t = 2; t <= n + 1; t++)
			LD(t, X);
		expect_robust(&p, "readers", UINT64_C(1) << n);
	}
	const uint64_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
	unsigned most = toy_random_part(100) < 100 ? 6 : 7; /* make test: fewer */
	for (unsigned n = 2; n <= most; n++) {
		struct toy_program p = {0};
		for (unsigned t = 1; t <= n; t++)
			ST(t, X, (int)t);
		expect_robust(&p, "writers", factorial[n]);
	}
	for (unsigned n = 2; n <= 5; n++) {
		struct toy_program p = {0};
		for (unsigned t = 1; t <= n; t++) {
			toy_add(&p, t, TOY_ADD, X, 1, 0, 0, 0);
			ST(t, 10 + (int)t, 1);
		}
		expect_robust(&p, "ainc_use", factorial[n]);
	}
}

static void rinc_one(unsigned n, unsigned rounds, uint64_t expected)
{
	struct toy_program p = {0};
	for (unsigned t = 1; t <= n; t++)
		for (unsigned r = 0; r < rounds; r++) {
			LD(t, X);
			toy_add(&p, t, TOY_STORE, X, 1, 1, 0, 0);
		}
	expect_robust(&p, "rinc", expected);
}

static void rinc(void **state)
{
	rinc_one(2, 1, 4);
	rinc_one(2, 2, 34);
	rinc_one(2, 3, 328);
	rinc_one(3, 1, 36);
	rinc_one(4, 1, 576);
}

/* the loop of indexer: m = 1 .. 4: w = m * 11 + tid, h = w * 7 % 128; until cas(h): h = (h + 1) % 128 */
static void indexer_thread(struct toy_program *p, unsigned t)
{
	for (int m = 1; m <= 4; m++) {
		int w = m * 11 + (int)t - 1;
		toy_add(p, t, TOY_SET, 1, w * 7 % 128, 0, 0, 0);
		int loop = p->len[t];
		toy_add(p, t, TOY_CAS, 0, 0, w, 2, 2);
		toy_add(p, t, TOY_SKIP_EQ, 2, 1, 2, 0, 0);
		toy_add(p, t, TOY_ADDMOD, 1, 1, 128, 0, 0);
		toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	}
}

static void indexer(void **state)
{
	const uint64_t expected[] = {1, 8, 64, 512};
	for (unsigned n = 11; n <= 14; n++) {
		struct toy_program p = {0};
		for (unsigned t = 1; t <= n; t++)
			indexer_thread(&p, t);
		expect_robust(&p, "indexer", expected[n - 11]);
	}
}

static void lastzero_one(unsigned n, uint64_t expected)
{
	struct toy_program p = {0};
	toy_add(&p, 1, TOY_SET, 1, (int)n, 0, 0, 0);
	toy_add(&p, 1, TOY_LOAD, 0, 0, 2, 0, 0); /* 1: r0 = a[r1] */
	toy_add(&p, 1, TOY_SKIP_EQ, 0, 0, 2, 0, 0);
	toy_add(&p, 1, TOY_ADDMOD, 1, -1, 1000, 0, 0);
	toy_add(&p, 1, TOY_JUMP, 1, 0, 0, 0, 0);
	for (unsigned j = 1; j <= n; j++) {
		LD(j + 1, (int)j - 1);
		toy_add(&p, j + 1, TOY_STORE, (int)j, 1, 1, 0, 0);
	}
	expect_robust(&p, "lastzero", expected);
}

static void lastzero(void **state)
{
	lastzero_one(2, 5);
	lastzero_one(5, 64);
	lastzero_one(8, 704);
}

static void fib(void **state)
{
	const uint64_t expected[] = {3, 19, 141, 1107};
	for (unsigned n = 1; n <= 4; n++) {
		struct toy_program p = {0};
		for (unsigned k = 0; k < n; k++)
			for (int t = 1; t <= 2; t++) {
				toy_add(&p, (unsigned)t, TOY_LOAD, 0, t == 1 ? Y : X, 0, 0, 0);
				toy_add(&p, (unsigned)t, TOY_LOAD, 1, t == 1 ? X : Y, 0, 0, 0);
				toy_add(&p, (unsigned)t, TOY_SUM, 0, 1, 0, 0, 0);
				toy_add(&p, (unsigned)t, TOY_STORE, t == 1 ? X : Y, 0, 1, 0, 0);
			}
		expect(&p, "fib", expected[n - 1]);
	}
}

static void mutex_one(unsigned n, unsigned rounds, uint64_t expected)
{
	struct toy_program p = {0};
	for (unsigned t = 1; t <= n; t++)
		for (unsigned r = 0; r < rounds; r++) {
			LOCK(t, 0);
			LD(t, X);
			toy_add(&p, t, TOY_STORE, X, 1, 1, 0, 0);
			UNLOCK(t, 0);
		}
	expect_robust(&p, "mutex", expected);
}

static void mutex(void **state)
{
	mutex_one(2, 1, 2);
	mutex_one(2, 2, 6);
	mutex_one(2, 3, 20);
	mutex_one(3, 1, 6);
	mutex_one(3, 2, 90);
	mutex_one(3, 3, 1680);
	mutex_one(4, 1, 24);
	mutex_one(5, 1, 120);
	mutex_one(4, 2, 2520); /* (4 * 2)! / 2!^4 */
}

static void phil_one(unsigned n, bool deadlock, uint64_t expected)
{
	struct toy_program p = {0};
	for (unsigned t = 0; t < n; t++) {
		int a = (int)t, b = (int)((t + 1) % n);
		if (!deadlock && t == n - 1) {
			a = b;
			b = (int)t;
		}
		LOCK(t + 1, a);
		LOCK(t + 1, b);
		UNLOCK(t + 1, b);
		UNLOCK(t + 1, a);
	}
	expect_robust(&p, deadlock ? "phil_deadlock" : "phil", expected);
}

static void phil(void **state)
{
	phil_one(3, false, 6);
	phil_one(4, false, 14);
	phil_one(2, true, 3);
	phil_one(3, true, 7);
	phil_one(4, true, 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(litmus), cmocka_unit_test(readers_writers), cmocka_unit_test(rinc),
		cmocka_unit_test(indexer), cmocka_unit_test(lastzero), cmocka_unit_test(fib),
		cmocka_unit_test(mutex), cmocka_unit_test(phil),
		cmocka_unit_test(estimates), /* last: it covers all searches before */
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
