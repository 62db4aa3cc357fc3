/*
 * Loops that try a compare-and-swap again with the value that it found: their failed rounds are no events, and the program has the same outcomes as with them.
 *
 * An outcome is what memory and all registers are in the end. The outcomes of a program whose loops are known (sched/await.h) are compared with those of the
 * same program in which every access is an event. Both are explored by the same strategy, which test_explore_sets.c compares with brute force.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "explore/search.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_EXECUTIONS 3000

static struct toy toy;
static _Alignas(16) char memory[16 << 20];
static uint64_t random_state;

static int rnd(int n)
{
	random_state = mix64(random_state);
	return (int)(random_state % (uint64_t)n);
}

/* ---- programs ---- */

/* Thread t adds n to variable x by a loop that tries again. `reload`: each round reads x first, else it carries what it found. */
static void retry_loop(struct toy_program *p, unsigned t, int x, int n, bool reload, bool spins)
{
	enum { VALUE = 0, DONE = 1 };
	int start = p->len[t];
	toy_add(p, t, TOY_LOAD, VALUE, x, 0, 0, 0);
	if (spins)
		toy_spins(p, t);
	int again = reload ? start : p->len[t];
	toy_add(p, t, TOY_RETRY, x, n, VALUE, DONE, 0);
	if (spins)
		toy_spins(p, t);
	toy_add(p, t, TOY_SKIP_EQ, DONE, 1, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, again, 0, 0, 0, 0);
}

static void random_program(struct toy_program *p, uint64_t seed, bool spins)
{
	random_state = mix64(seed);
	*p = (struct toy_program){.name = "retry"};
	unsigned threads = 2 + (unsigned)rnd(2);
	for (unsigned t = 1; t <= threads; t++)
		for (int k = 0, n = 1 + rnd(threads == 2 ? 3 : 2); k < n; k++) {
			int x = rnd(4) == 0, what = rnd(7), by = rnd(3) - 1;
			if (what < 3)
				retry_loop(p, t, x, by, rnd(2), spins);
			else if (what == 3)
				toy_add(p, t, TOY_STORE, x, rnd(3), 0, 0, 0);
			else if (what == 4)
				toy_add(p, t, TOY_ADD, x, 1, 3, 0, 0);
			else if (what == 5)
				toy_add(p, t, TOY_LOAD, 3, x, 0, 0, 0);
			else
				toy_add(p, t, TOY_XCHG, x, rnd(3), 2, 0, 0);
		}
	toy_main(p);
}

/* ---- exploring ---- */

static struct toy_hash outcome(void)
{
	struct toy_hash h = {0, 0};
	for (unsigned t = 0; t < toy.p->threads; t++)
		for (unsigned r = 0; r < TOY_REGS; r++)
			h.a = mix64(h.a + 1) ^ (uint64_t)toy.thread[t].reg[r];
	for (unsigned k = 0; k < 32; k++)
		h.b = mix64(h.b + 1) ^ toy.mem[k];
	h.a |= 1;
	return h;
}

/* One search; false: it is too large. *twice: some trace came again. */
static bool search(const struct explore_config *config, struct toy_set *out, uint64_t *executions, bool *quiet)
{
	struct strategy s;
	enum run_verdict verdict;
	assert_true(explore_create(config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	const struct explore_stats *st = explore_stats(memory);
	while (st->executions < MOST_EXECUTIONS && toy_run(&toy, &s, &verdict))
		if (verdict == RUN_OK)
			toy_set_add(out, outcome());
	*executions = st->executions;
	*quiet = !st->diverged && !st->cut && !st->out_of_memory;
	return st->finished;
}

/* The outcomes of p, and how many executions they took; false: too many. */
static bool explored(const struct toy_program *p, unsigned strategy, uint32_t shuffle, struct toy_set *out, uint64_t *executions)
{
	const struct explore_config config = {.strategy = strategy, .shuffle = shuffle};
	bool quiet = true;
	uint32_t known;
	toy_init(&toy, p);
	do { /* news about loops start the search again */
		known = toy.await.changes;
		toy_set_clear(out);
		if (!search(&config, out, executions, &quiet) && toy.await.changes == known)
			return false;
	} while (toy.await.changes != known);
	assert_true(quiet);
	return true;
}

static size_t missing(const struct toy_set *from, const struct toy_set *in)
{
	size_t n = 0;
	for (size_t k = 0; k < from->cap; k++)
		n += (from->h[k].a || from->h[k].b) && !toy_set_has(in, from->h[k]);
	return n;
}

static void same_outcomes(void **state)
{
	static const unsigned strategies[] = {STRATEGY_OPTIMAL, STRATEGY_SOURCE, STRATEGY_TRUST};
	uint64_t wanted = toy_random_part(2500), programs = 0, fewer = 0, all = 0, whole = 0;
	for (uint64_t i = 0; programs < wanted; i++) {
		struct toy_program every, some;
		struct toy_set whole_set = {0}, set = {0};
		uint64_t of_all, of_some;
		random_program(&every, i, false);
		random_program(&some, i, true);
		toy_forget(&toy);
		if (!explored(&every, STRATEGY_OPTIMAL, 0, &whole_set, &of_all)) {
			toy_set_clear(&whole_set);
			continue;
		}
		programs++;
		toy_forget(&toy);
		for (unsigned k = 0; k < 3; k++) {
			assert_true(explored(&some, strategies[k], (uint32_t)i % 3, &set, &of_some));
			if (missing(&whole_set, &set) || missing(&set, &whole_set)) {
				print_error("program %lu, %s: %zu outcomes lost, %zu invented\n", (unsigned long)i, explore_strategy_name(strategies[k]),
					missing(&whole_set, &set), missing(&set, &whole_set));
				toy_print(&some);
				fail();
			}
			if (k == 0) {
				all += of_some;
				whole += of_all;
				fewer += of_some < of_all;
			}
		}
		toy_set_clear(&whole_set);
		toy_set_clear(&set);
	}
	print_message("%lu programs, %lu executions instead of %lu; fewer in %lu programs\n", (unsigned long)programs, (unsigned long)all,
		(unsigned long)whole, (unsigned long)fewer);
	assert_true(fewer * 4 > programs);
}

/* Threads that add to one variable: the orders of the additions. */
static void orders_of_additions(void **state)
{
	static const struct { unsigned threads, rounds, orders; } cases[] = {{2, 1, 2}, {3, 1, 6}, {2, 2, 6}, {2, 3, 20}, {4, 1, 24}, {3, 2, 90}};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++)
		for (int reload = 0; reload < 2; reload++) {
			struct toy_program p = {.name = "additions"};
			struct toy_set set = {0};
			uint64_t executions;
			for (unsigned t = 1; t <= cases[k].threads; t++)
				for (unsigned r = 0; r < cases[k].rounds; r++) {
					retry_loop(&p, t, 0, 1, reload, true);
					toy_add(&p, t, TOY_SET, 0, 0, 0, 0, 0);
					toy_add(&p, t, TOY_SET, 1, 0, 0, 0, 0);
				}
			toy_main(&p);
			toy_forget(&toy);
			assert_true(explored(&p, STRATEGY_OPTIMAL, 0, &set, &executions));
			assert_int_equal(executions, cases[k].orders);
			toy_set_clear(&set);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_of_additions), cmocka_unit_test(same_outcomes),
	};
	setvbuf(stdout, NULL, _IOLBF, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
