/*
 * Store buffers: programs with known numbers of traces. Known litmus tests have known numbers of Shasha-Snir traces under sequential consistency, TSO and PSO; the oracle
 * (lib_weak.h) and each strategy must find them. Then programs on which a strategy once failed.
 */
#include "tests/unit/lib_weak_job.h"

/* ---- known numbers ---- */

static void count(struct toy_program *p, unsigned strategy, uint32_t shuffle, uint64_t expected)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffle};
	struct strategy s;
	enum run_verdict verdict;
	uint64_t runs = 0;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (runs <= 20 * expected && toy_run(&toy, &s, &verdict))
		runs++;
	const struct explore_stats *st = explore_stats(memory);
	if (st->distinct_traces != expected || (strategy == STRATEGY_OPTIMAL && st->executions != expected))
		print_error("%s: %s, %s, shuffle %u: %lu executions, %lu distinct, expected %lu\n", p->name, memory_model_text(p->model),
			explore_strategy_name(strategy), shuffle, (unsigned long)st->executions, (unsigned long)st->distinct_traces,
			(unsigned long)expected);
	assert_int_equal(st->distinct_traces, expected);
	assert_int_equal(st->finished, 1);
	assert_int_equal(st->cut + st->out_of_memory + st->diverged + st->infeasible, 0);
	if (strategy != STRATEGY_OPTIMAL)
		return;
	assert_int_equal(st->executions, expected);
	if (p->model != MODEL_PSO)
		assert_int_equal(st->blocked, 0);
}

/* The numbers of traces under sequential consistency, TSO and PSO. */
static void expect(struct toy_program *p, const char *name, uint64_t sc, uint64_t tso, uint64_t pso)
{
	const uint64_t expected[] = {sc, tso, pso};
	p->name = name;
	toy_main(p);
	for (unsigned m = MODEL_SC; m <= MODEL_PSO; m++) {
		struct weak_search s = {.model = m, .most = 200000};
		struct toy_set traces = {0};
		p->model = m;
		weak_traces(p, &s, &traces);
		if (s.complete && traces.n != expected[m])
			print_error("%s: %s: the oracle finds %zu traces, expected %lu\n", name, memory_model_text(m), traces.n,
				(unsigned long)expected[m]);
		assert_true(!s.complete || traces.n == expected[m]);
		toy_set_clear(&traces);
		if (getenv("WEAK_ORACLE_ONLY"))
			continue;
		count(p, STRATEGY_OPTIMAL, 0, expected[m]);
		count(p, STRATEGY_OPTIMAL, 1, expected[m]);
		count(p, STRATEGY_OPTIMAL, 99, expected[m]);
		count(p, STRATEGY_SOURCE, 0, expected[m]);
	}
}

#define LD(t, x) toy_add(&p, t, TOY_LOAD, 0, x, 0, 0, 0)
#define ST(t, x, n) toy_add(&p, t, TOY_STORE, x, n, 0, 0, 0)
#define RELEASE(t, x, n) (ST(t, x, n), toy_ordered(&p, t, TOY_RELEASE))
#define DRAINS(t, x, n) (ST(t, x, n), toy_ordered(&p, t, TOY_DRAINS))
#define XCHG(t, x, n) toy_add(&p, t, TOY_XCHG, x, n, 0, 0, 0)
#define FENCE(t) toy_add(&p, t, TOY_FENCE, 0, 0, 0, 0, 0)
#define RFENCE(t) toy_add(&p, t, TOY_RELEASE_FENCE, 0, 0, 0, 0, 0)
#define LOCK(t, m) toy_add(&p, t, TOY_LOCK, m, 0, 0, 0, 0)
#define UNLOCK(t, m) toy_add(&p, t, TOY_UNLOCK, m, 0, 0, 0, 0)
#define BYTES(t, n) toy_sized(&p, t, n)
#define TEST(name, sc, tso, pso, ...) \
	do { \
		struct toy_program p = {0}; \
		__VA_ARGS__; \
		expect(&p, name, sc, tso, pso); \
	} while (0)
enum { X, Y, Z };

static void litmus(void **state)
{
	TEST("SB", 3, 4, 4, ST(1, X, 1); LD(1, Y); ST(2, Y, 1); LD(2, X));
	TEST("LB", 3, 3, 3, LD(1, Y); ST(1, X, 1); LD(2, X); ST(2, Y, 1));
	TEST("MP", 3, 3, 4, ST(1, X, 1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("IRIW", 15, 15, 15, ST(1, X, 1); ST(2, Y, 1); LD(3, X); LD(3, Y); LD(4, Y); LD(4, X));
	TEST("2+2W", 3, 3, 4, ST(1, X, 1); ST(1, Y, 2); ST(2, Y, 1); ST(2, X, 2));
	TEST("R", 3, 4, 4, ST(1, X, 1); ST(1, Y, 1); ST(2, Y, 2); LD(2, X));
	TEST("S", 3, 3, 4, ST(1, X, 2); ST(1, Y, 1); LD(2, Y); ST(2, X, 1));
	TEST("CoRR", 3, 3, 3, ST(1, X, 1); LD(2, X); LD(2, X));
	TEST("CoWR", 3, 3, 3, ST(1, X, 1); LD(1, X); ST(2, X, 2));
	TEST("WRC", 7, 7, 7, ST(1, X, 1); LD(2, X); ST(2, Y, 1); LD(3, Y); LD(3, X));
	TEST("RWC", 7, 8, 8, ST(1, X, 1); LD(2, X); LD(2, Y); ST(3, Y, 1); LD(3, X));
	TEST("SBrfi", 3, 4, 4, ST(1, X, 1); LD(1, X); LD(1, Y); ST(2, Y, 1); LD(2, Y); LD(2, X));
}

/* Instructions that forbid the additional traces. */
static void fences(void **state)
{
	TEST("SB+fences", 3, 3, 3, ST(1, X, 1); FENCE(1); LD(1, Y); ST(2, Y, 1); FENCE(2); LD(2, X));
	TEST("SB+fence", 3, 4, 4, ST(1, X, 1); FENCE(1); LD(1, Y); ST(2, Y, 1); LD(2, X));
	TEST("SB+xchg", 3, 3, 3, XCHG(1, X, 1); LD(1, Y); XCHG(2, Y, 1); LD(2, X));
	TEST("SB+drains", 3, 3, 3, DRAINS(1, X, 1); LD(1, Y); DRAINS(2, Y, 1); LD(2, X));
	TEST("SB+xchg elsewhere", 3, 3, 3, ST(1, X, 1); XCHG(1, Z, 1); LD(1, Y); ST(2, Y, 1); XCHG(2, 5, 1); LD(2, X));
	TEST("SB+lock", 3, 3, 3, ST(1, X, 1); LOCK(1, 0); UNLOCK(1, 0); LD(1, Y); ST(2, Y, 1); LOCK(2, 1); UNLOCK(2, 1); LD(2, X));
	TEST("SB+release fences", 3, 4, 4, ST(1, X, 1); RFENCE(1); LD(1, Y); ST(2, Y, 1); RFENCE(2); LD(2, X));
	TEST("MP+release", 3, 3, 3, ST(1, X, 1); RELEASE(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("MP+release first", 3, 3, 4, RELEASE(1, X, 1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("MP+release fence", 3, 3, 3, ST(1, X, 1); RFENCE(1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("MP+fence", 3, 3, 3, ST(1, X, 1); FENCE(1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("2+2W+releases", 3, 3, 3, ST(1, X, 1); RELEASE(1, Y, 2); ST(2, Y, 1); RELEASE(2, X, 2));
	TEST("2+2W+release fences", 3, 3, 3, ST(1, X, 1); RFENCE(1); ST(1, Y, 2); ST(2, Y, 1); RFENCE(2); ST(2, X, 2));
	TEST("S+release", 3, 3, 3, ST(1, X, 2); RELEASE(1, Y, 1); LD(2, Y); ST(2, X, 1));
	TEST("R+fence", 3, 3, 4, ST(1, X, 1); ST(1, Y, 1); ST(2, Y, 2); FENCE(2); LD(2, X));
}

/* Overlapping accesses: X consists of bytes 0 to 7. */
static void mixed_sizes(void **state)
{
	/* Some bytes come from the own buffer, the others from memory: a store to one half, a load of the whole. */
	TEST("SB halves", 3, 4, 4, ST(1, 0, 1); BYTES(1, 4); LD(1, 4); BYTES(1, 4); ST(2, 4, 1); BYTES(2, 4); LD(2, 0); BYTES(2, 4));
	TEST("SB seen whole", 3, 4, 4, ST(1, 0, 1); BYTES(1, 4); LD(1, 0); BYTES(1, 8); ST(2, 4, 1); BYTES(2, 4); LD(2, 0); BYTES(2, 8));
	/* Under PSO the halves of a variable may overtake each other. A store that overlaps both may not. */
	TEST("MP halves", 3, 3, 4, ST(1, 0, 1); BYTES(1, 4); ST(1, 4, 1); BYTES(1, 4); LD(2, 4); BYTES(2, 4); LD(2, 0); BYTES(2, 4));
	TEST("MP over", 3, 3, 3, ST(1, 0, 1); BYTES(1, 4); ST(1, 3, 2); BYTES(1, 4); LD(2, 6); BYTES(2, 1); LD(2, 0); BYTES(2, 1));
}

static void swept(void **state)
{
	static const uint64_t factorial[] = {1, 1, 2, 6, 24, 120, 720}, fib[][3] = {{3, 3, 3}, {19, 20, 20}, {141, 175, 175}, {1107, 1764, 1764}};
	for (unsigned n = 2; n <= 6; n++)
		TEST("writers", factorial[n], factorial[n], factorial[n], for (unsigned t = 1; t <= n; t++) ST(t, X, (int)t));
	for (unsigned n = 2; n <= 8; n++)
		TEST("readers", UINT64_C(1) << n, UINT64_C(1) << n, UINT64_C(1) << n, ST(1, X, 1); for (unsigned t = 2; t <= n + 1; t++) LD(t, X));
	for (unsigned n = 1; n <= 4; n++) {
		struct toy_program p = {0};
		ST(0, X, 1);
		ST(0, Y, 1);
		for (unsigned k = 0; k < n; k++)
			for (unsigned t = 1; t <= 2; t++) {
				toy_add(&p, t, TOY_LOAD, 0, t == 1 ? Y : X, 0, 0, 0);
				toy_add(&p, t, TOY_LOAD, 1, t == 1 ? X : Y, 0, 0, 0);
				toy_add(&p, t, TOY_SUM, 0, 1, 0, 0, 0);
				toy_add(&p, t, TOY_STORE, t == 1 ? X : Y, 0, 1, 0, 0);
			}
		expect(&p, "fib", fib[n - 1][0], fib[n - 1][1], fib[n - 1][2]);
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
	expect(&p, "rinc", expected, expected, expected);
}

/* Programs that store buffers do not affect: they have the same number of traces with and without. */
static void robust(void **state)
{
	rinc_one(2, 1, 4);
	rinc_one(2, 2, 34);
	rinc_one(2, 3, 328);
	rinc_one(3, 1, 36);
	rinc_one(4, 1, 576);
	for (unsigned n = 2; n <= 3; n++) {
		const uint64_t expected = n == 2 ? 6 : 90;
		struct toy_program p = {0};
		for (unsigned t = 1; t <= n; t++)
			for (unsigned r = 0; r < 2; r++) {
				LOCK(t, 0);
				LD(t, X);
				toy_add(&p, t, TOY_STORE, X, 1, 1, 0, 0);
				UNLOCK(t, 0);
			}
		expect(&p, "mutex", expected, expected, expected);
	}
}

enum { FLAG, TURN = 2, SHARED };

static void skip_unless(struct toy_program *p, unsigned t, int r, int n, int end)
{
	toy_add(p, t, TOY_SKIP_EQ, r, n, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, end, 0, 0, 0, 0);
}

/* Thread t (1 or 2) tries once to enter a critical section. */
static void peterson_thread(struct toy_program *p, unsigned t, bool fenced)
{
	const int mine = FLAG + (int)t - 1, other = FLAG + 2 - (int)t, turn = t == 1, end = 60;
	toy_add(p, t, TOY_STORE, mine, 1, 0, 0, 0);
	toy_add(p, t, TOY_STORE, TURN, turn, 0, 0, 0);
	if (fenced)
		toy_add(p, t, TOY_FENCE, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, other, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, 0, 1, 3, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, TURN, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, 0, turn, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, end, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, SHARED, (int)t - 1, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, SHARED, 0, 0, 0);
	toy_add(p, t, TOY_STORE, mine, 0, 0, 0, 0);
}

static void dekker_thread(struct toy_program *p, unsigned t, bool fenced)
{
	const int mine = FLAG + (int)t - 1, other = FLAG + 2 - (int)t, turn = (int)t - 1, end = 60;
	toy_add(p, t, TOY_STORE, mine, 1, 0, 0, 0);
	if (fenced)
		toy_add(p, t, TOY_FENCE, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, other, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, 0, 0, fenced ? 11 : 10, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, TURN, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, 0, turn, fenced ? 6 : 5, 0, 0);
	toy_add(p, t, TOY_STORE, mine, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, TURN, 0, 0, 0);
	skip_unless(p, t, 0, turn, end);
	toy_add(p, t, TOY_STORE, mine, 1, 0, 0, 0);
	if (fenced)
		toy_add(p, t, TOY_FENCE, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, other, 0, 0, 0);
	skip_unless(p, t, 0, 0, end);
	toy_add(p, t, TOY_STORE, SHARED, (int)t - 1, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, SHARED, 0, 0, 0);
	toy_add(p, t, TOY_STORE, TURN, 1 - turn, 0, 0, 0);
	toy_add(p, t, TOY_STORE, mine, 0, 0, 0, 0);
}

static void mutual_exclusion(void **state)
{
	TEST("peterson", 10, 30, 42, peterson_thread(&p, 1, false); peterson_thread(&p, 2, false));
	TEST("peterson+fences", 10, 10, 32, peterson_thread(&p, 1, true); peterson_thread(&p, 2, true));
	TEST("dekker", 18, 26, 51, dekker_thread(&p, 1, false); dekker_thread(&p, 2, false));
	TEST("dekker+fences", 18, 18, 43, dekker_thread(&p, 1, true); dekker_thread(&p, 2, true));
}

/* ---- programs that failed once ---- */

static void again(struct toy_program *p, unsigned strategy, uint32_t shuffle)
{
	toy_main(p);
	for (unsigned m = MODEL_SC; m <= MODEL_PSO; m++) {
		struct job j = {.p = *p, .strategy = strategy, .shuffle = shuffle};
		struct toy_set traces = {0};
		struct result r;
		j.p.model = m;
		assert_true(expected_of(&j.p, &traces));
		if (!explored(&j, &traces, &r))
			say(&j, &r);
		assert_true(r.as_expected);
		toy_set_clear(&traces);
	}
}

#define AGAIN(strategy, shuffle, ...) \
	do { \
		struct toy_program p = {0}; \
		__VA_ARGS__; \
		again(&p, strategy, shuffle); \
	} while (0)

static void failed_once(void **state)
{
	/* A load reads one byte from its own buffer; the store that overwrites this byte comes after the load. */
	AGAIN(STRATEGY_OPTIMAL, 2749, ST(1, 6, 1); BYTES(1, 4); ST(1, Y, 2); LD(1, 7); BYTES(1, 2); ST(1, X, 1); LD(2, Y); ST(2, X, 2); ST(3, Y, 1));
	/* A load that reads its thread's own buffered store ignores earlier writes, but only on the bytes of that store. */
	AGAIN(STRATEGY_EXHAUSTIVE, 0, ST(1, 7, 2); BYTES(1, 1); LD(1, X); ST(2, 7, 2); BYTES(2, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(litmus), cmocka_unit_test(fences), cmocka_unit_test(mixed_sizes), cmocka_unit_test(swept), cmocka_unit_test(robust),
		cmocka_unit_test(mutual_exclusion), cmocka_unit_test(failed_once),
	};
	setvbuf(stdout, NULL, _IOLBF, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
