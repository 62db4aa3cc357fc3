/*
 * Sampling: known distributions are compared with the results for fixed seeds. The margins are so wide that only a wrong strategy misses them.
 * Also: polling programs end, and on random programs the strategies are sound and, given time, complete.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/sampling/giveway.h"
#include "tests/unit/lib_lines.h"
#include "tests/unit/lib_toy_random.h"

static _Alignas(16) char memory[8 << 20];
static struct toy toy;
static const unsigned all[] = {STRATEGY_RANDOM, STRATEGY_PCT, STRATEGY_POS, STRATEGY_SURW};

static void create(unsigned strategy, uint32_t depth, uint64_t seed, struct strategy *s)
{
	struct explore_config config = {.strategy = strategy, .depth = strategy == STRATEGY_PCT ? depth : 0, .seed = seed};
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, s));
}

/* Collects the orders of `runs` executions; with only_odd, of every other one. */
static void sample(const struct lines *p, unsigned strategy, uint32_t depth, unsigned runs, bool only_odd, struct orders *o)
{
	struct strategy s;
	char order[LINES_MOST + 1];
	memset(o, 0, sizeof *o);
	create(strategy, depth, 1, &s);
	for (unsigned i = 0; i < runs; i++) {
		lines_run(p, &s, order);
		if (!only_odd || i % 2)
			orders_add(o, order);
	}
}

/* Pearson's statistic against the uniform distribution over `classes`. */
static double chi_square(const struct orders *o, unsigned classes)
{
	double total = 0, x = 0;
	for (unsigned i = 0; i < o->n; i++)
		total += o->count[i];
	double expected = total / classes;
	for (unsigned i = 0; i < o->n; i++)
		x += (o->count[i] - expected) * (o->count[i] - expected) / expected;
	return x + (classes - o->n) * expected;
}

static unsigned times(const struct orders *o, const char *order)
{
	for (unsigned i = 0; i < o->n; i++)
		if (strcmp(o->order[i], order) == 0)
			return o->count[i];
	return 0;
}

/* Checks that `found` of `runs` is within six standard deviations of probability p. */
static void near(unsigned found, unsigned runs, double p)
{
	double off = found - runs * p, limit = 6 * sqrt(runs * p * (1 - p));
	if (fabs(off) > limit)
		print_error("%u of %u, expected %.1f +- %.1f\n", found, runs, runs * p, limit);
	assert_true(fabs(off) <= limit);
}

/* ---- surw ---- */

/* 30 and 105 orders: the statistic exceeds 80 and 190 with a probability below 1e-6. */
static void surw_is_uniform(void **state)
{
	const struct lines one = {3, {"aaaa", "a", "a"}}, two = {3, {"aabb", "b", "ab"}};
	static struct orders o;
	sample(&one, STRATEGY_SURW, 0, 15000, false, &o);
	assert_int_equal(o.n, 30);
	assert_true(chi_square(&o, 30) < 80);
	sample(&two, STRATEGY_SURW, 0, 42000, true, &o); /* the executions in which both objects count */
	assert_int_equal(o.n, 105);
	assert_true(chi_square(&o, 105) < 190);
	/* the test can fail */
	sample(&one, STRATEGY_RANDOM, 0, 15000, false, &o);
	assert_true(chi_square(&o, 30) > 1000);
}

/* If one object counts, the orders of its events are equally likely, whatever else happens. Each shared object counts in some executions. */
static void surw_is_selective(void **state)
{
	const struct lines p = {2, {"aabbbbcc", "baabdd"}};
	struct strategy s;
	static struct orders o;
	char order[LINES_MOST + 1];
	unsigned on[5] = {0};
	memset(&o, 0, sizeof o);
	create(STRATEGY_SURW, 0, 3, &s);
	for (unsigned i = 0; i < 48000; i++) {
		lines_run(&p, &s, order);
		const char *at[2] = {p.code[0], p.code[1]};
		/* the counting object was drawn before the execution and is drawn again at its end: see `last` */
		static uint64_t last;
		char on_a[5];
		unsigned n = 0;
		for (const char *c = order; *c; c++)
			if (*at[*c - '0']++ == 'a')
				on_a[n++] = *c;
		on_a[n] = 0;
		if (i && last == 1)
			orders_add(&o, on_a);
		if (i)
			on[last]++;
		last = sample_of((struct core *)memory)->only;
		assert_in_range(last, 0, 4);
	}
	near(on[0], 48000, 1.0 / 2);
	near(on[1], 48000, 1.0 / 4);
	near(on[2], 48000, 1.0 / 4);
	assert_int_equal(on[3] + on[4], 0);
	assert_int_equal(o.n, 6);
	assert_true(chi_square(&o, 6) < 40);
}

/* Events of threads that are created later count for their creator until the creation. */
static void surw_counts_children(void **state)
{
	struct toy_program p = {0};
	struct strategy s;
	enum run_verdict verdict;
	static struct orders o;
	for (int i = 0; i < 3; i++)
		toy_add(&p, 3, TOY_STORE, 0, i, 0, 0, 0);
	toy_add(&p, 1, TOY_STORE, 0, 1, 0, 0, 0);
	toy_add(&p, 2, TOY_STORE, 0, 1, 0, 0, 0);
	toy_main(&p);
	toy_init(&toy, &p);
	memset(&o, 0, sizeof o);
	create(STRATEGY_SURW, 0, 1, &s);
	for (unsigned run = 0; run < 12000; run++) {
		char order[6];
		unsigned n = 0;
		assert_true(toy_run(&toy, &s, &verdict));
		for (uint32_t i = 0; i < toy.trace.n; i++)
			if (toy.event[i].kind == EV_STORE)
				order[n++] = (char)('0' + toy.index[toy.event[i].thread]);
		order[n] = 0;
		if (run)
			orders_add(&o, order);
	}
	assert_int_equal(o.n, 20);
	assert_true(chi_square(&o, 20) < 65);
}

/* ---- pos ---- */

static void pos_distribution(void **state)
{
	const struct lines racing = {2, {"aaa", "a"}}, apart = {2, {"bcd", "a"}};
	static struct orders o;
	/* The thread that lost a race draws a new priority: 1/2 each time. */
	sample(&racing, STRATEGY_POS, 0, 16000, false, &o);
	near(times(&o, "1000"), 16000, 1.0 / 2);
	near(times(&o, "0100"), 16000, 1.0 / 4);
	near(times(&o, "0010"), 16000, 1.0 / 8);
	near(times(&o, "0001"), 16000, 1.0 / 8);
	/* A thread in no race keeps its priority: it runs last if that is the lowest of four. */
	sample(&apart, STRATEGY_POS, 0, 16000, false, &o);
	near(times(&o, "1000"), 16000, 1.0 / 2);
	near(times(&o, "0100"), 16000, 1.0 / 2 - 1.0 / 3);
	near(times(&o, "0010"), 16000, 1.0 / 3 - 1.0 / 4);
	near(times(&o, "0001"), 16000, 1.0 / 4);
}

/* ---- random ---- */

static void random_distribution(void **state)
{
	const struct lines p = {2, {"aaa", "a"}};
	static struct orders o;
	sample(&p, STRATEGY_RANDOM, 0, 16000, false, &o);
	near(times(&o, "0010"), 16000, 1.0 / 8);
	near(times(&o, "0001"), 16000, 1.0 / 8);
}

/* ---- pct ---- */

/* Depth 1 gives only orders of whole threads, each equally likely. Depth 2 has one change point. */
static void pct_distribution(void **state)
{
	const struct lines p = {3, {"aa", "a", "aaa"}};
	static struct orders o;
	sample(&p, STRATEGY_PCT, 1, 12000, false, &o);
	assert_int_equal(o.n, 6);
	near(times(&o, "001222"), 12000, 1.0 / 6);
	near(times(&o, "222100"), 12000, 1.0 / 6);
	assert_int_equal(explore_stats(memory)->pct_threads, 3);
	assert_int_equal(explore_stats(memory)->pct_executions, 12000);
	sample(&p, STRATEGY_PCT, 2, 12001, false, &o);
	/* after step 2 of 6 thread 2 falls below all others; only this change point gives this order, and thread 0 ranks before 1 */
	near(times(&o, "220012"), 12000, 1.0 / 6 / 6);
	assert_int_equal(times(&o, "202012"), 0); /* needs more change points */
	assert_int_equal(explore_stats(memory)->pct_events, 6);
	assert_int_equal(explore_stats(memory)->pct_executions, 12000);
}

/* Returns how many executions die with TOY_DIE_EQ. */
static unsigned deaths(struct toy_program *p, unsigned strategy, uint32_t depth, uint64_t seed, unsigned runs)
{
	struct strategy s;
	enum run_verdict verdict;
	unsigned n = 0;
	toy_init(&toy, p);
	create(strategy, depth, seed, &s);
	for (unsigned i = 0; i < runs; i++) {
		assert_true(toy_run(&toy, &s, &verdict));
		n += verdict == RUN_FAILED;
	}
	return n;
}

static void load(struct toy_program *p, unsigned t, int r, int x)
{
	toy_add(p, t, TOY_LOAD, r, x, 0, 0, 0);
}

static void store(struct toy_program *p, unsigned t, int x, int n)
{
	toy_add(p, t, TOY_STORE, x, n, 0, 0, 0);
}

/* A bug of depth 1 to 3 between threads 1 and 2, with `more` other threads that do something else. Depth 1: thread 2 dies when its load comes
   first. Depth 2: when the load comes between two stores. Depth 3: when, in addition, a second load comes after a third store. */
static void bug_of_depth(struct toy_program *p, unsigned depth, unsigned more)
{
	memset(p, 0, sizeof *p);
	store(p, 1, 0, 1);
	if (depth > 1)
		store(p, 1, 0, 2);
	if (depth > 2)
		store(p, 1, 20, 1);
	load(p, 2, 0, 0);
	if (depth > 2) {
		toy_add(p, 2, TOY_SET, 1, 0, 0, 0, 0);
		toy_add(p, 2, TOY_SKIP_NE, 0, 1, 1, 0, 0);
		load(p, 2, 1, 20);
		toy_add(p, 2, TOY_DIE_EQ, 1, 1, 0, 0, 0);
	} else {
		toy_add(p, 2, TOY_DIE_EQ, 0, depth == 1 ? 0 : 1, 0, 0, 0);
	}
	for (unsigned t = 3; t < 3 + more; t++)
		for (int i = 0; i < 4; i++)
			store(p, t, 40 + (int)t * 4, i);
	toy_main(p);
}

/* The guarantee: a share of at least 1 / (n k^(d-1)) of the executions. Three seeds each; at most five standard deviations below it. */
static void pct_guarantee(void **state)
{
	static const unsigned runs[] = {0, 2000, 8000, 60000};
	for (unsigned depth = 1; depth <= 3; depth++)
		for (unsigned more = 0; more <= (depth < 3 ? 2 : 0); more += 2)
			for (uint64_t seed = 1; seed <= 3; seed++) {
				struct toy_program p;
				bug_of_depth(&p, depth, more);
				unsigned found = deaths(&p, STRATEGY_PCT, depth, seed, runs[depth]);
				const struct explore_stats *st = explore_stats(memory);
				double least = 1.0 / st->pct_threads / pow(st->pct_events, depth - 1);
				double expected = least * (double)st->pct_executions;
				if (found < expected - 5 * sqrt(expected))
					print_error("depth %u: %u found, at least %.1f expected (n %u, k %u)\n", depth, found, expected,
						st->pct_threads, st->pct_events);
				assert_int_equal(st->pct_threads, 3 + more);
				assert_true(st->pct_executions > runs[depth] * 9 / 10);
				assert_true(expected > 30);
				assert_true(found >= expected - 5 * sqrt(expected));
				if (depth > 1) /* the bug has at least this depth */
					assert_int_equal(deaths(&p, STRATEGY_PCT, depth - 1, seed, 2000), 0);
			}
}

/* pct restarts its counts when more events become visible. */
static void pct_more_events(void **state)
{
	const struct lines p = {2, {"aa", "a"}};
	struct strategy s;
	char order[LINES_MOST + 1];
	create(STRATEGY_PCT, 3, 1, &s);
	explore_more_events(memory);
	for (unsigned i = 0; i < 10; i++)
		lines_run(&p, &s, order);
	assert_int_equal(explore_stats(memory)->pct_executions, 9); /* the first execution only measured the length */
	explore_more_events(memory);
	lines_run(&p, &s, order);
	assert_int_equal(explore_stats(memory)->pct_executions, 0);
	lines_run(&p, &s, order);
	assert_int_equal(explore_stats(memory)->pct_executions, 1);
}

static void pct_refuses(void **state)
{
	struct explore_config config = {.strategy = STRATEGY_PCT};
	assert_false(explore_create(&config, memory, sizeof memory));
	config.depth = EXPLORE_DEPTH_MAX + 1;
	assert_false(explore_create(&config, memory, sizeof memory));
}

/* ---- lock orders ---- */

/* Two threads take a lock a hundred times, then locks 0 and 1, and the other lock again. */
static void ordered_locks(struct toy_program *p, bool opposite)
{
	memset(p, 0, sizeof *p);
	for (unsigned t = 1; t <= 2; t++) {
		int first = opposite && t == 2;
		for (int part = 0; part < 2; part++) {
			int begin = p->len[t];
			toy_add(p, t, TOY_LOCK, 2, 0, 0, 0, 0);
			toy_add(p, t, TOY_UNLOCK, 2, 0, 0, 0, 0);
			toy_add(p, t, TOY_ADDMOD, 0, 1, 100, 0, 0);
			toy_add(p, t, TOY_SKIP_EQ, 0, 0, 1, 0, 0);
			toy_add(p, t, TOY_JUMP, begin, 0, 0, 0, 0);
			if (part)
				continue;
			toy_add(p, t, TOY_LOCK, first, 0, 0, 0, 0);
			toy_add(p, t, TOY_LOCK, !first, 0, 0, 0, 0);
			toy_add(p, t, TOY_UNLOCK, !first, 0, 0, 0, 0);
			toy_add(p, t, TOY_UNLOCK, first, 0, 0, 0, 0);
		}
	}
	toy_main(p);
}

/* Returns how many of 300 samples deadlock. */
static unsigned deadlocks(struct toy_program *p, bool directed, uint64_t seed)
{
	struct explore_config config = {.strategy = STRATEGY_SURW, .directed = directed, .seed = seed};
	struct strategy s;
	enum run_verdict verdict;
	unsigned n = 0;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	for (unsigned i = 0; i < 300; i++) {
		assert_true(toy_run(&toy, &s, &verdict));
		assert_true(verdict == RUN_OK || verdict == RUN_DEADLOCK);
		n += verdict == RUN_DEADLOCK;
	}
	return n;
}

/* Directed samples meet a short cycle in long executions more often. Where all threads take the locks in one order, there is nothing to direct
   at, and the samples are those of surw. */
static void directed_at_cycles(void **state)
{
	struct toy_program p;
	unsigned found[2] = {0};
	for (uint64_t seed = 1; seed <= 4; seed++)
		for (unsigned directed = 0; directed < 2; directed++) {
			ordered_locks(&p, true);
			found[directed] += deadlocks(&p, directed, seed);
			ordered_locks(&p, false);
			assert_int_equal(deadlocks(&p, directed, seed), 0);
			assert_int_equal(explore_stats(memory)->gave_way, 0);
		}
	print_message("deadlocks in 1200 samples: %u, directed %u\n", found[0], found[1]);
	assert_true(found[1] > 3 * found[0] && found[1] > 100);
}

/* ---- giving way ---- */

enum polling { POLL_YIELD, POLL_TRYLOCK, POLL_BUSY, POLL_TIMED, POLL_KINDS };

/* `pollers` threads wait for the last one, which does something else first. */
static void polling_program(struct toy_program *p, enum polling kind, unsigned pollers)
{
	unsigned worker = pollers + 1;
	memset(p, 0, sizeof *p);
	for (unsigned t = 1; t <= pollers; t++) {
		if (kind == POLL_TRYLOCK) {
			toy_add(p, t, TOY_SEMTRY, 0, 0, 0, 0, 0);
			toy_add(p, t, TOY_SKIP_EQ, 0, 1, 1, 0, 0);
			toy_add(p, t, TOY_JUMP, 0, 0, 0, 0, 0);
			toy_add(p, t, TOY_POST, 0, 0, 0, 0, 0);
			continue;
		}
		toy_add(p, t, TOY_LOCK, 0, 0, 0, 0, 0);
		load(p, t, 0, 0);
		if (kind == POLL_TIMED)
			toy_add(p, t, TOY_TIMEDWAIT, 0, 0, 1, 0, 0);
		toy_add(p, t, TOY_UNLOCK, 0, 0, 0, 0, 0);
		if (kind == POLL_YIELD)
			toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
		toy_add(p, t, TOY_SKIP_EQ, 0, 1, 1, 0, 0);
		toy_add(p, t, TOY_JUMP, 0, 0, 0, 0, 0);
	}
	for (int i = 0; i < 40; i++)
		store(p, worker, 20, i);
	toy_add(p, worker, TOY_LOCK, 0, 0, 0, 0, 0);
	store(p, worker, 0, 1);
	toy_add(p, worker, TOY_UNLOCK, 0, 0, 0, 0, 0);
	toy_add(p, worker, TOY_POST, 0, 0, 0, 0, 0);
	toy_main(p);
}

static void pollers_give_way(void **state)
{
	for (unsigned kind = 0; kind < POLL_KINDS; kind++)
		for (unsigned pollers = 1; pollers <= (kind == POLL_BUSY ? 2 : 3); pollers++)
			for (unsigned i = 0; i < 4; i++) {
				struct toy_program p;
				struct strategy s;
				enum run_verdict verdict;
				polling_program(&p, kind, pollers);
				toy_init(&toy, &p);
				create(all[i], 3, 1, &s);
				for (unsigned run = 0; run < 60; run++) {
					assert_true(toy_run(&toy, &s, &verdict));
					if (verdict != RUN_OK)
						print_error("%s, kind %u, %u pollers: execution %u ends with %d\n",
							explore_strategy_name(all[i]), kind, pollers, run, verdict);
					assert_int_equal(verdict, RUN_OK);
				}
				if (all[i] == STRATEGY_PCT) /* a thread of the highest priority polls */
					assert_true(explore_stats(memory)->gave_way > 5);
			}
}

/* A few yields change nothing. */
static void few_yields_are_free(void **state)
{
	struct toy_program p = {0};
	struct strategy s;
	enum run_verdict verdict;
	for (unsigned t = 1; t <= 2; t++)
		for (unsigned i = 0; i < GIVEWAY_FREE; i++)
			toy_add(&p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_main(&p);
	toy_init(&toy, &p);
	for (unsigned i = 0; i < 4; i++) {
		create(all[i], 3, 1, &s);
		for (unsigned run = 0; run < 50; run++)
			assert_true(toy_run(&toy, &s, &verdict));
		assert_int_equal(explore_stats(memory)->gave_way, 0);
	}
}

/* ---- on random programs ---- */

/* Finds only traces that exist, and in the end all of them, with store buffers too. */
static void all_traces_of(struct toy_program *p, unsigned strategy, const struct toy_set *traces)
{
	struct toy_set found = {0};
	struct strategy s;
	enum run_verdict verdict;
	toy_init(&toy, p);
	create(strategy, 8, 5, &s);
	for (unsigned run = 0; run < 40000 && found.n < traces->n; run++) {
		assert_true(toy_run(&toy, &s, &verdict));
		if (verdict == RUN_CUT || verdict == RUN_COVERED)
			continue;
		assert_true(toy_set_has(traces, toy_hash_of(&toy)));
		toy_set_add(&found, toy_hash_of(&toy));
	}
	if (found.n != traces->n) {
		print_error("%s: %zu of %zu traces\n", explore_strategy_name(strategy), found.n, traces->n);
		toy_print(p);
	}
	assert_int_equal(found.n, traces->n);
	assert_true(explore_stats(memory)->distinct_traces >= found.n / 2);
	assert_int_equal(explore_stats(memory)->finished, 0);
	toy_set_clear(&found);
}

static void random_programs(void **state)
{
	static const unsigned features[] = {TOY_F_MEM | TOY_F_RMW | TOY_F_LOCK, TOY_F_LOCK | TOY_F_TRY | TOY_F_COND | TOY_F_TIMED,
		TOY_F_SEM | TOY_F_RW | TOY_F_BARRIER | TOY_F_NOJOIN, TOY_F_MEM | TOY_F_FUTEX | TOY_F_ONCE | TOY_F_BYTES};
	unsigned checked = 0;
	for (uint64_t i = 0; i < 120; i++) {
		struct toy_program p;
		struct toy_set traces = {0};
		uint64_t runs;
		toy_random(&p, features[i % 4], 11, i);
		p.model = i % 4 == 0 ? (unsigned)(i / 4 % 3) : MODEL_SC;
		toy_init(&toy, &p);
		if (toy_oracle(&toy, &traces, 4000, &runs) && traces.n > 1 && traces.n <= 12) {
			all_traces_of(&p, all[checked % 4], &traces);
			checked++;
		}
		toy_set_clear(&traces);
	}
	assert_true(checked > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surw_is_uniform),
		cmocka_unit_test(surw_is_selective),
		cmocka_unit_test(surw_counts_children),
		cmocka_unit_test(pos_distribution),
		cmocka_unit_test(random_distribution),
		cmocka_unit_test(pct_distribution),
		cmocka_unit_test(pct_guarantee),
		cmocka_unit_test(pct_more_events),
		cmocka_unit_test(directed_at_cycles),
		cmocka_unit_test(pct_refuses),
		cmocka_unit_test(pollers_give_way),
		cmocka_unit_test(few_yields_are_free),
		cmocka_unit_test(random_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
