/*
 * Store buffers: the world's behaviour and the exploration, against an oracle that shares no code with either (lib_weak.h).
 *
 * On random programs, under sequential consistency, TSO and PSO, every strategy
 * must find exactly the oracle's traces. Optimal must find each once and, except where it cannot know, without redundant executions.
 *
 * Environment: WEAK_PROGRAMS (number of programs; 10000), SEED, WEAK_FIRST (the first one), WEAK_FAILURES (number of failures before the test
 * stops; 1), WEAK_SHUFFLES (additional thread orders for each program; 1), WEAK_STATES (programs with more states are too big), FILTER (only
 * tests whose names contain it). Failing programs are made smaller and printed.
 */
#include "tests/unit/lib_weak_job.h"

/* ---- random programs ---- */

struct totals {
	uint64_t programs, too_big, states, traces[3], blocked[3], source_blocked[3], source_twice[3], failures;
};

static void try_one(struct totals *sum, const struct toy_set *traces, unsigned strategy, uint32_t shuffle)
{
	struct result r;
	unsigned m = current.p.model;
	current.strategy = strategy;
	current.shuffle = shuffle;
	busy = true;
	bool fine = explored(&current, traces, &r);
	busy = false;
	if (strategy == STRATEGY_OPTIMAL)
		sum->blocked[m] += r.stats.blocked;
	if (strategy == STRATEGY_SOURCE) {
		sum->source_blocked[m] += r.stats.blocked;
		sum->source_twice[m] += r.twice;
	}
	if (fine)
		return;
	struct job failed = current;
	say(&failed, &r);
	tell_failure(&failed);
	if (++sum->failures >= setting("WEAK_FAILURES", 1))
		fail();
}

static unsigned length(const struct toy_program *p)
{
	unsigned n = 0;
	for (unsigned t = 0; t < p->threads; t++)
		n += p->len[t];
	return n;
}

/* Returns false when the program is too big. */
static bool one_program(struct totals *sum, uint64_t seed, uint64_t i)
{
	struct toy_set traces[3] = {0};
	bool small = true;
	uint32_t shuffles = (uint32_t)setting("WEAK_SHUFFLES", 1);
	current.number = i;
	weak_random(&current.p, seed, i);
	for (unsigned m = MODEL_SC; m <= MODEL_PSO && small; m++) {
		current.p.model = m;
		small = expected_of(&current.p, &traces[m]);
	}
	for (unsigned m = MODEL_SC; m <= MODEL_PSO && small; m++) {
		current.p.model = m;
		sum->traces[m] += traces[m].n;
		try_one(sum, &traces[m], STRATEGY_OPTIMAL, 0);
		for (uint32_t k = 1; k <= shuffles; k++)
			try_one(sum, &traces[m], STRATEGY_OPTIMAL, (uint32_t)i + k);
		try_one(sum, &traces[m], STRATEGY_SOURCE, (uint32_t)i % 3);
		if (i % 4 == 0 && length(&current.p) <= 8) /* exhaustive also interleaves starts and ends */
			try_one(sum, &traces[m], STRATEGY_EXHAUSTIVE, 0);
	}
	for (unsigned m = 0; m < 3; m++)
		toy_set_clear(&traces[m]);
	return small;
}

static void random_programs(void **state)
{
	uint64_t n = setting("WEAK_PROGRAMS", toy_random_part(10000)), seed = seed_used = test_seed(1), first = setting("WEAK_FIRST", 0);
	struct totals sum = {0};
	signal(SIGABRT, aborted);
	for (uint64_t i = first; sum.programs < n; i++) {
		bool small = one_program(&sum, seed, i);
		sum.programs += small;
		sum.too_big += !small;
	}
	signal(SIGABRT, SIG_DFL);
	print_message("seed %lu: %lu programs (%lu too big)\n", (unsigned long)seed, (unsigned long)sum.programs, (unsigned long)sum.too_big);
	for (unsigned m = MODEL_SC; m <= MODEL_PSO; m++)
		print_message("%s: %lu traces; optimal: %lu redundant; source: %lu redundant, %lu twice\n", memory_model_text(m),
			(unsigned long)sum.traces[m], (unsigned long)sum.blocked[m], (unsigned long)sum.source_blocked[m],
			(unsigned long)sum.source_twice[m]);
	assert_int_equal(sum.failures, 0);
	/* accesses that partly overlap a compare-and-swap make redundant executions */
	assert_true(sum.blocked[MODEL_SC] * 100 <= sum.traces[MODEL_SC]);
	assert_true(sum.blocked[MODEL_TSO] * 100 <= sum.traces[MODEL_TSO]);
}

/* ---- the oracle against itself, and the world against the oracle ---- */

static size_t differences(const struct toy_set *a, const struct toy_set *b)
{
	struct toy_hash ignored;
	return missing(a, b, &ignored) + missing(b, a, &ignored);
}

/* Running some steps first, without branching, loses no trace. */
static void oracle_is_exact(void **state)
{
	uint64_t compared = 0;
	for (uint64_t i = 0; compared < 200; i++) {
		struct toy_program p;
		weak_random(&p, 7, i);
		p.model = (unsigned)i % 3;
		struct weak_search quick = {.model = p.model, .most = 300}, plain = {.model = p.model, .most = 8000, .plain = true};
		struct toy_set a = {0}, b = {0};
		weak_traces(&p, &quick, &a);
		weak_traces(&p, &plain, &b);
		if (quick.complete && plain.complete) {
			compared++;
			if (differences(&a, &b))
				toy_print(&p);
			assert_int_equal(differences(&a, &b), 0);
		}
		toy_set_clear(&a);
		toy_set_clear(&b);
	}
}

/* All interleavings of the world's steps and updates give the oracle's traces, with and without the order of library events. */
static void world_is_exact(void **state)
{
	uint64_t compared[3] = {0}, traces = 0, interleavings = 0, n = toy_random_part(5000);
	n = n > 1000 ? 1000 : n;
	for (uint64_t i = 0; compared[0] + compared[1] + compared[2] < n; i++) {
		struct toy_program p;
		struct toy_set expected = {0}, found = {0}, with_library = {0};
		uint64_t runs, again;
		weak_random(&p, 11, i);
		p.model = (unsigned)i / 3 % 3;
		toy_init(&toy, &p);
		toy.memory_only = true;
		if (expected_of(&p, &expected) && expected.n < 400 && toy_oracle(&toy, &found, 2000, &runs)) {
			if (differences(&expected, &found))
				toy_print(&p);
			assert_int_equal(differences(&expected, &found), 0);
			toy.memory_only = false;
			assert_true(toy_oracle(&toy, &with_library, 2000, &again));
			assert_int_equal(with_library.n, found.n);
			compared[p.model]++;
			traces += found.n;
			interleavings += runs;
		}
		toy_set_clear(&expected);
		toy_set_clear(&found);
		toy_set_clear(&with_library);
	}
	print_message("%lu, %lu, %lu programs under sc, tso, pso: %lu traces, %lu interleavings\n", (unsigned long)compared[0],
		(unsigned long)compared[1], (unsigned long)compared[2], (unsigned long)traces, (unsigned long)interleavings);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(oracle_is_exact), cmocka_unit_test(world_is_exact), cmocka_unit_test(random_programs) };
	setvbuf(stdout, NULL, _IOLBF, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
