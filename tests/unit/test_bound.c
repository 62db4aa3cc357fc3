/*
 * Preemption bounds. trust with --preemptions K explores all traces that need at most K preemptions, each once, and counts them exactly. bpor
 * explores these traces and no others, some more than once. Brute force runs every interleaving and records the fewest preemptions of each
 * trace. auto: its claim to be complete up to a bound is true at every moment; in the end it has explored all traces, whatever part of the work
 * is bounded; samples do not count as explored. Also checks the reported number of preemptions that an execution needs (explore_need).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/shared/common.h"
#include "explore/auto/auto.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_INTERLEAVINGS 500
#define MOST_TRACES 2048

static uint64_t seed = 20240412; /* or SEED from the environment */
static unsigned times = 1;       /* BOUND_TIMES: multiplies the number of programs */
static struct toy toy;
static _Alignas(16) char memory[8 << 20], oracle_memory[8 << 20], common[1 << 18];

/* The traces of a program, and the number of preemptions that each needs. */
static struct {
	struct toy_hash h[MOST_TRACES];
	unsigned least[MOST_TRACES];
	bool failed[MOST_TRACES];
	bool assumed[MOST_TRACES]; /* it ends at a failed assumption; such traces are counted separately */
	unsigned n, n_assumed;
} traces;

static struct {
	struct strategy s;
	bool enabled[TOY_TRACE]; /* the thread of event i, after that event */
} run;

static int note_pick(void *ctx, const struct sched_view *view)
{
	if (view->trace->n) {
		thread_id t = view->trace->event[view->trace->n - 1].thread;
		run.enabled[view->trace->n - 1] = false;
		for (unsigned k = 0; k < view->n; k++)
			run.enabled[view->trace->n - 1] |= view->choices[k].thread == t;
	}
	return run.s.ops->pick(run.s.self, view);
}

static void note_observe(void *ctx, const struct event *e)
{
	run.s.ops->observe(run.s.self, e);
}

static unsigned preemptions(const struct trace *t)
{
	unsigned n = 0;
	for (uint32_t i = 0; i + 1 < t->n; i++) {
		bool further = false;
		for (uint32_t k = i + 1; k < t->n; k++)
			further |= t->event[k].thread == t->event[i].thread;
		n += t->event[i + 1].thread != t->event[i].thread && run.enabled[i] && further;
	}
	return n;
}

static unsigned trace_number(struct toy_hash h)
{
	unsigned k = 0;
	while (k < traces.n && (traces.h[k].a != h.a || traces.h[k].b != h.b))
		k++;
	return k;
}

/* Runs every interleaving. Returns false when there are too many. */
static bool brute_force(const struct toy_program *p, unsigned most)
{
	struct explore_config config = {.strategy = STRATEGY_EXHAUSTIVE};
	toy_init(&toy, p);
	assert_true(explore_create(&config, oracle_memory, sizeof oracle_memory));
	assert_true(explore_attach(oracle_memory, sizeof oracle_memory, &run.s));
	traces.n = traces.n_assumed = 0;
	for (unsigned runs = 0; run.s.ops->begin(run.s.self); runs++) {
		enum run_verdict v = toy_execute(&toy, note_pick, note_observe, NULL);
		run.s.ops->end(run.s.self, &toy.trace, v);
		unsigned k = trace_number(toy_hash_of(&toy)), need = preemptions(&toy.trace);
		if (runs >= most || k == MOST_TRACES)
			return false;
		if (k == traces.n) {
			traces.h[traces.n++] = toy_hash_of(&toy);
			traces.least[k] = need;
			traces.failed[k] = v == RUN_DEADLOCK || v == RUN_FAILED;
			traces.assumed[k] = v == RUN_ASSUMED;
			traces.n_assumed += traces.assumed[k];
		}
		if (need < traces.least[k])
			traces.least[k] = need;
	}
	return true;
}

static uint64_t beyond, cut, failing;
static uint64_t bpor_within, bpor_executions, bpor_blocked;

/* What a search does with the program that brute_force ran last. */
struct found {
	unsigned twice, unknown, lost, within, failed, beyond; /* traces */
	struct explore_stats st;
};

static void search(struct toy_program *p, unsigned strategy, unsigned most, uint32_t shuffle, struct found *f)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffle, .bounded = 1, .preemptions = most};
	struct strategy s;
	enum run_verdict verdict;
	static bool seen[MOST_TRACES];
	uint64_t counted = 0;
	*f = (struct found){0};
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	const struct explore_stats *st = explore_stats(memory);
	for (unsigned k = 0; k < traces.n; k++)
		seen[k] = false;
	while (toy_run(&toy, &s, &verdict)) {
		unsigned k = trace_number(toy_hash_of(&toy));
		if (st->executions == counted)
			continue; /* redundant */
		counted = st->executions;
		f->unknown += k == traces.n;
		f->twice += k < traces.n && seen[k];
		if (k < traces.n)
			seen[k] = true;
	}
	for (unsigned k = 0; k < traces.n; k++) {
		if (traces.assumed[k])
			continue;
		f->within += traces.least[k] <= most;
		f->failed += traces.least[k] <= most && traces.failed[k];
		f->lost += traces.least[k] <= most && !seen[k];
		f->beyond += traces.least[k] > most && seen[k];
	}
	f->st = *st;
}

static void check(struct toy_program *p, unsigned strategy, unsigned most, uint32_t shuffle)
{
	struct found f;
	bool bpor = strategy == STRATEGY_BPOR;
	search(p, strategy, most, shuffle, &f);
	const struct explore_stats *st = &f.st;
	if (bpor) {
		bpor_within += f.within;
		bpor_executions += st->executions;
		bpor_blocked += st->blocked;
	} else {
		beyond += f.beyond;
		cut += st->bounded_out;
		failing += f.failed;
	}
	if (!f.unknown && !f.lost && st->within_bound == f.within && st->finished && !st->bound_unknown && !st->cut &&
		(bpor ? !f.beyond : !f.twice && st->failed_within == f.failed))
		return;
	print_error("%s, bound %u, shuffle %u: lost %u, twice %u, unknown %u, beyond %u, within %lu instead of %u; of %u traces\n",
		explore_strategy_name(strategy), most, shuffle, f.lost, f.twice, f.unknown, f.beyond, (unsigned long)st->within_bound,
		f.within, traces.n);
	toy_print(p);
	fail();
}

static uint64_t by_bound, by_full, shared_by_bound, samples, needs, needs_unsure;

/* Runs one execution, and asks for its number of preemptions before it ends. */
static bool run_asking(struct strategy *s, const struct explore_stats *st)
{
	struct explore_need need;
	if (!s->ops->begin(s->self))
		return false;
	run.s = *s;
	enum run_verdict verdict = toy_execute(&toy, note_pick, note_observe, NULL);
	if (verdict_is_whole(verdict) && !st->blocked) {
		unsigned k = trace_number(toy_hash_of(&toy));
		assert_true(k < traces.n && explore_need(memory, &toy.trace, &need));
		if (need.least > traces.least[k] || need.enough < traces.least[k])
			print_error("needs %u, not %u to %u%s\n", traces.least[k], need.least, need.enough, st->sampled ? ", a sample" : "");
		assert_true(need.least <= traces.least[k] && traces.least[k] <= need.enough);
		needs++;
		needs_unsure += need.least != need.enough;
	}
	s->ops->end(s->self, &toy.trace, verdict);
	return true;
}

/* Checks that the search has explored all that it claims. */
static void check_claims(const struct explore_stats *st, const bool *seen)
{
	for (unsigned k = 0; k < traces.n; k++)
		assert_true(seen[k] || traces.assumed[k] || traces.least[k] >= st->bound_done);
	assert_true(st->bound_traces <= traces.n && st->distinct_traces <= traces.n && st->distinct_traces <= st->executions - st->samples);
	assert_true(!st->bound_done || st->bound_traces > 0);
}

/* `shared`: from its first execution on, others could help with the full search. */
static void check_auto(struct toy_program *p, uint32_t shuffle, enum explore_outlook outlook, bool shared)
{
	struct explore_config config = {.strategy = STRATEGY_AUTO, .shuffle = shuffle, .seed = shuffle};
	struct strategy s;
	static bool seen[MOST_TRACES];
	unsigned missing = 0;
	uint32_t done = 0;
	uint64_t counted = 0;
	bool joined = false;
	toy_init(&toy, p);
	memset(common, 0, sizeof common);
	assert_true(explore_common_create(common, sizeof common));
	assert_true(explore_create(&config, memory, sizeof memory));
	explore_expect(memory, sizeof memory, outlook);
	const struct explore_stats *st = explore_stats(memory);
	for (unsigned k = 0; k < traces.n; k++)
		seen[k] = false;
	/* attach again before each execution, as another process would */
	while (explore_attach(memory, sizeof memory, &s) && run_asking(&s, st)) {
		unsigned k = trace_number(toy_hash_of(&toy));
		if (st->executions == counted)
			continue; /* redundant */
		counted = st->executions;
		assert_true(k < traces.n);
		seen[k] |= !st->sampled;
		check_claims(st, seen);
		assert_true(st->bound_done >= done);
		done = st->bound_done;
		if (shared && !joined && explore_can_join(memory))
			joined = explore_join(memory, common, sizeof common, true);
	}
	for (unsigned k = 0; k < traces.n; k++)
		missing += !seen[k] && !traces.assumed[k];
	by_bound += st->bound_all;
	by_full += !st->bound_all;
	shared_by_bound += joined && st->bound_all;
	samples += st->samples;
	uint64_t n = st->bound_all ? st->bound_traces : st->distinct_traces;
	if (!missing && st->finished && n == traces.n - traces.n_assumed && st->assumed == traces.n_assumed &&
		st->estimate == st->executions && !st->cut && explore_common_over(common) == joined)
		return;
	print_error("auto, shuffle %u, outlook %d: lost %u, %lu traces instead of %u, %lu cut by assumptions instead of %u\n", shuffle, outlook, missing,
		(unsigned long)n, traces.n - traces.n_assumed, (unsigned long)st->assumed, traces.n_assumed);
	toy_print(p);
	fail();
}

static void programs(unsigned features, unsigned n)
{
	unsigned programs = 0;
	n = times > 1 ? n * times : toy_random_part(n);
	for (uint64_t i = 0; programs < n; i++) {
		struct toy_program p;
		toy_random(&p, features, seed, i);
		toy_init(&toy, &p);
		toy_forget(&toy);
		if (!brute_force(&p, MOST_INTERLEAVINGS))
			continue;
		programs++;
		for (unsigned most = 0; most <= 4; most++) {
			check(&p, STRATEGY_TRUST, most, most % 2 ? 0 : (uint32_t)i);
			check(&p, STRATEGY_BPOR, most, most % 2 ? 0 : (uint32_t)i);
		}
		for (unsigned outlook = OUTLOOK_NOT_KNOWN; outlook <= OUTLOOK_NO_END; outlook++)
			check_auto(&p, outlook % 2 ? 0 : (uint32_t)i, outlook, false);
		check_auto(&p, (uint32_t)i, OUTLOOK_NO_END, true);
	}
	print_message("features %#x: %u programs; trust: beyond the bound %lu in total, cut off %lu, failing within it %lu; bpor: %lu traces, %lu executions, "
		      "%lu redundant\n", features, programs, (unsigned long)beyond, (unsigned long)cut, (unsigned long)failing, (unsigned long)bpor_within,
		(unsigned long)bpor_executions, (unsigned long)bpor_blocked);
}

static void accesses(void **state)
{
	programs(TOY_F_MEM, 30);
	programs(TOY_F_MEM | TOY_F_RMW, 30);
	programs(TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS, 30);
}

static void blocking(void **state)
{
	programs(TOY_F_LOCK | TOY_F_MEM, 30);
	programs(TOY_F_LOCK | TOY_F_TRY, 30);
	programs(TOY_F_SEM | TOY_F_MEM, 30);
	programs(TOY_F_COND | TOY_F_LOCK, 30);
	programs(TOY_F_COND | TOY_F_TIMED, 30);
	programs(TOY_F_RW | TOY_F_MEM, 30);
	programs(TOY_F_RW_ALL, 60);
	programs(TOY_F_BARRIER | TOY_F_MEM, 30);
	programs(TOY_F_ONCE | TOY_F_LOCK, 30);
}

static void ends(void **state)
{
	programs(TOY_F_DIE | TOY_F_MEM, 30);
	programs(TOY_F_CHOOSE | TOY_F_LOCK | TOY_F_MEM, 30);
	programs(TOY_F_NOJOIN | TOY_F_MEM | TOY_F_LOCK, 30);
	programs(TOY_F_LATE_EXIT | TOY_F_MEM | TOY_F_LOCK, 60);
	programs(TOY_F_ASSUME | TOY_F_LOCK | TOY_F_MEM, 30);
}

/* One thread continues only when it does not read `not`; others add once each. No order of theirs needs a preemption. What assumptions cut
   off does not depend on whether the bound or the full search, which others help with, ends first. */
static void assumptions(void **state)
{
	for (int not = 0; not <= 2; not++) {
		struct toy_program p = {.threads = 4};
		toy_add(&p, 1, TOY_LOAD, 0, 0, 0, 0, 0);
		toy_add(&p, 1, TOY_ASSUME_NE, 0, not, 0, 0, 0);
		toy_add(&p, 2, TOY_ADD, 0, 1, 0, 0, 0);
		toy_add(&p, 3, TOY_ADD, 0, 1, 0, 0, 0);
		toy_main(&p);
		toy_init(&toy, &p);
		toy_forget(&toy);
		assert_true(brute_force(&p, 100000) && traces.n_assumed > 0);
		for (unsigned outlook = OUTLOOK_NOT_KNOWN; outlook <= OUTLOOK_NO_END; outlook++)
			for (uint32_t shuffle = 0; shuffle < 8; shuffle++)
				check_auto(&p, shuffle, outlook, shuffle % 2);
	}
}

/* A restarted search keeps its previous estimate, and takes other samples. */
static void begins_again(void **state)
{
	struct toy_program p = {.threads = 6};
	struct strategy s;
	enum run_verdict verdict;
	struct toy_set first = {0}, second = {0};
	for (unsigned t = 1; t <= 5; t++)
		for (unsigned k = 0; k < 6; k++)
			toy_add(&p, t, TOY_ADD, (int)(k % 2), 1, 0, 0, 0);
	toy_main(&p);
	for (unsigned round = 0; round < 2; round++) {
		struct explore_config config = {.strategy = STRATEGY_AUTO, .outlook = OUTLOOK_NO_END, .samples_before = 1000 * round};
		struct toy_set *samples_of = round ? &second : &first;
		toy_init(&toy, &p);
		assert_true(explore_create(&config, memory, sizeof memory));
		assert_true(explore_attach(memory, sizeof memory, &s));
		assert_int_equal(explore_expected(memory), OUTLOOK_NO_END);
		const struct explore_stats *st = explore_stats(memory);
		for (unsigned k = 0; k < 400 && toy_run(&toy, &s, &verdict); k++) {
			if (st->sampled)
				toy_set_add(samples_of, toy_hash_of(&toy));
		}
		assert_true(samples_of->n > 20);
	}
	size_t both = 0;
	for (size_t k = 0; k < first.cap; k++)
		both += (first.h[k].a || first.h[k].b) && toy_set_has(&second, first.h[k]);
	assert_true(both * 2 < first.n);
	toy_set_clear(&first);
	toy_set_clear(&second);
}

/* Returns how many of the first executions are samples. Thread 1 makes `events` accesses, thread 2 one of them. */
static uint64_t samples_of_first(int events, enum explore_outlook outlook)
{
	struct toy_program p = {.threads = 3};
	struct explore_config config = {.strategy = STRATEGY_AUTO, .outlook = outlook};
	struct strategy s;
	enum run_verdict verdict;
	toy_add(&p, 1, TOY_ADD, 0, 1, 0, 0, 0);
	toy_add(&p, 1, TOY_ADDMOD, 0, 1, events, 0, 0);
	toy_add(&p, 1, TOY_SKIP_EQ, 0, 0, 1, 0, 0);
	toy_add(&p, 1, TOY_JUMP, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_ADD, 0, 1, 0, 0, 0);
	toy_main(&p);
	toy_init(&toy, &p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	for (unsigned k = 0; k < 9; k++)
		assert_true(toy_run(&toy, &s, &verdict) && toy.trace.n > (uint32_t)events);
	assert_int_equal(explore_stats(memory)->executions, 9);
	return explore_stats(memory)->samples;
}

/* Where executions are too long for the bounded search, half of the first executions after it are samples, unless the search will finish. */
static void long_executions(void **state)
{
	assert_int_equal(samples_of_first(AUTO_LONGEST, OUTLOOK_NOT_KNOWN), 4);
	assert_int_equal(samples_of_first(AUTO_LONGEST, OUTLOOK_NO_END), 4);
	assert_int_equal(samples_of_first(AUTO_LONGEST, OUTLOOK_END), 0);
	assert_int_equal(samples_of_first(AUTO_LONGEST / 2, OUTLOOK_NOT_KNOWN), 0);
}

static void both_ways(void **state)
{
	print_message("auto: a bound ended %lu searches, the full search %lu\n", (unsigned long)by_bound, (unsigned long)by_full);
	assert_true(by_bound > toy_random_part(10) && by_full > toy_random_part(10) && shared_by_bound > toy_random_part(3));
	print_message("auto: %lu samples; what %lu executions need was asked, %lu times without a clear answer\n", (unsigned long)samples,
		(unsigned long)needs, (unsigned long)needs_unsure);
	assert_true(samples > toy_random_part(30) && needs > toy_random_part(300) && needs_unsure * 100 < needs);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed = test_seed(seed);
	if (getenv("BOUND_TIMES"))
		times = (unsigned)strtoul(getenv("BOUND_TIMES"), NULL, 0);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses), cmocka_unit_test(blocking), cmocka_unit_test(ends), cmocka_unit_test(assumptions),
		cmocka_unit_test(begins_again), cmocka_unit_test(long_executions),
		cmocka_unit_test(both_ways),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
