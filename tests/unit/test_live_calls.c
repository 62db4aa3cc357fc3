/*
 * Calls of the library in the strategy `graphs`: trylocks, condition variables, semaphores, reader-writer locks,
 * barriers, one-time initialisation, with atomic accesses beside them. Small programs run in the world, in every order
 * of their threads with every store that is offered. The strategy must find the same graphs, each once, in any order of
 * the threads: none is lost, none invented. A graph says which store each load reads, the order of the stores of each
 * place, and the order of the calls on the objects that calls connect.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/unit/lib_live_search.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_EXECUTIONS 20000

static void compare(const struct rc_program *p, uint32_t shuffle, unsigned flaw, const struct rc_keys *want,
	struct live_totals *sum)
{
	struct rc_keys found = {0};
	bool whole = live_searched_graphs(p, shuffle, flaw, &found);
	live_add(sum, p, want, &found, whole, flaw ? NULL : "strategy");
	rc_free(&found);
}

static void compare_shared(const struct rc_program *p, uint32_t shuffle, uint64_t *draw, const struct rc_keys *want,
	struct live_totals *sum)
{
	struct rc_keys found = {0};
	bool whole = live_shared_graphs(p, shuffle, draw, &found);
	live_add(sum, p, want, &found, whole, "three workers");
	sum->shared += live_was_shared();
	rc_free(&found);
}

/* Finds the graphs of a program that needs at most MOST_EXECUTIONS. The first time shows which objects calls
   connect. */
static bool all_graphs(const struct rc_program *p, struct rc_keys *out)
{
	struct rc_keys first = {0};
	live_forget_connections();
	bool known = live_all_graphs(p, 0, MOST_EXECUTIONS, &first);
	rc_free(&first);
	return known && live_all_graphs(p, 0, MOST_EXECUTIONS, out);
}

/* Programs with known numbers of graphs. */
static void known_programs(void **state)
{
	static const struct {
		const char *text;
		size_t graphs;
	} known[] = {
		/* the execution ends with an unlock, on which the waiting call depends */
		{"a = semtry | a = trylock m; if a == 0: unlock m; semwait", 2},
		{"lock m; wait m; unlock m | signal", 3},
		{"lock m; wait m; unlock m | lock m; signal; unlock m", 2},
		{"rdlock; rdunlock | wrlock; wrunlock", 2},
		{"a = trylock m; if a == 0: unlock m | a = trylock m; if a == 0: unlock m", 4},
		{"semwait; post | semwait; post", 2},
		{"x = 1 rlx; barrier | barrier; a = x rlx", 2},
		{"once | once", 2},
		/* T1 leaves the barrier last, and then waits for ever. It depends on what T0 did before */
		{"a = semtry; barrier | barrier; semwait", 2},
		{"a = timed trylock m; if a == 0: unlock m | a = timed trylock m; if a == 0: unlock m", 4},
		/* it times out before the signal, after it, or is woken; or the signal comes before the wait */
		{"lock m; a = timed wait m; unlock m | signal", 7},
		{"lock m; a = timed wait m; unlock m | lock m; signal; unlock m", 8},
		/* the wait with the limit may be woken although the other one has taken the signal */
		{"lock m; wait m; unlock m | lock m; a = timed wait m; unlock m | signal", 65},
		{"rdlock; rdunlock | a = timed claim; if a == 0: wrunlock", 5},
		/* that the mutex is tried is found out late */
		{"a = x rlx; lock m; unlock m; if a == 1: a = trylock m | x = 1 rlx; y = 1 rlx; z = 1 rlx |"
		 "y = 2 rlx; z = 2 rlx; lock m; unlock m",
			24},
		{"x = 1 rlx; post | a = semtry; b = semtry; if b == 0: c = x rlx", 3},
	};
	struct live_totals sum = {0};
	uint64_t draw = 1;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct rc_program p;
		struct rc_keys want = {0};
		assert_true(rc_read(&p, known[i].text));
		assert_true(all_graphs(&p, &want));
		if (want.n != known[i].graphs)
			fail_msg("%s: %zu graphs", known[i].text, want.n);
		for (uint32_t shuffle = 0; shuffle < 3; shuffle++) {
			compare(&p, shuffle, 0, &want, &sum);
			for (unsigned k = 0; k < 20; k++)
				compare_shared(&p, shuffle, &draw, &want, &sum);
		}
		rc_free(&want);
	}
	assert_int_equal(sum.wrong, 0);
}

/* What is left out of the search in the broken variants. */
static const struct {
	unsigned flaw;
	const char *name;
} variants[] = {{LIVE_NO_WAITERS, "waiting calls take no part"}, {LIVE_NO_ORDER, "calls order nothing"}};

/* Compares n random programs, in two orders of their threads, with three workers, and with the first `broken_n`
   variants. */
static void compare_random(void (*draw_program)(struct rc_program *, uint64_t *), const char *what, uint64_t seed,
	unsigned n, struct live_totals *broken, unsigned broken_n)
{
	struct live_totals sum = {0}, shared = {0};
	uint64_t draw = test_seed(seed), turns = draw;
	for (unsigned i = 0; i < n; i++) {
		struct rc_program p;
		struct rc_keys want = {0};
		draw_program(&p, &draw);
		if (!all_graphs(&p, &want)) {
			sum.too_big++;
			rc_free(&want);
			continue;
		}
		compare(&p, 0, 0, &want, &sum);
		compare(&p, i + 1, 0, &want, &sum);
		compare_shared(&p, i & 1 ? i : 0, &turns, &want, &shared);
		for (unsigned k = 0; k < broken_n; k++)
			compare(&p, 0, variants[k].flaw, &want, &broken[k]);
		rc_free(&want);
	}
	live_print(what, &sum);
	live_print("three workers", &shared);
	for (unsigned k = 0; k < broken_n; k++)
		live_print(variants[k].name, &broken[k]);
	assert_int_equal(sum.wrong, 0);
	assert_int_equal(shared.wrong, 0);
	assert_true(shared.shared > shared.programs / 4 || n < 300);
	assert_true(sum.programs > 2 * sum.too_big);
}

static void random_programs(void **state)
{
	struct live_totals broken[2] = {{0}};
	unsigned n = toy_random_part(2000);
	compare_random(rc_draw_calls, "calls", 20261130, n, broken, 2);
	assert_true(broken[0].lost > 0 || n < 300);
	assert_true(broken[1].wrong > 0 || n < 300);
}

/* A word that futex calls compare, with accesses of all orders, and fences. What calls order makes no difference here:
   the store that is not offered shows it. */
static void futex_calls(void **state)
{
	struct live_totals broken = {0};
	unsigned n = toy_random_part(2000);
	compare_random(rc_draw_futex, "futex calls", 20261201, n, &broken, 1);
	assert_true(broken.lost > 0 || n < 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_programs),
		cmocka_unit_test(random_programs),
		cmocka_unit_test(futex_calls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
