/*
 * A search outlives its process. It continues in memory mapped elsewhere, after a death at any point. It stops with the reason when memory is
 * full or the program is not deterministic.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_toy_random.h"

#define SIZE (1 << 20)
#define SEED 7

static struct toy toy;
static _Alignas(16) char places[2][SIZE + 64];

static void attach(int place, struct strategy *s)
{
	assert_true(explore_attach(places[place] + 16 * place, SIZE, s));
}

static int pick(void *ctx, const struct sched_view *view)
{
	struct strategy *s = ctx;
	return s->ops->pick(s->self, view);
}

static void observe(void *ctx, const struct event *e)
{
	struct strategy *s = ctx;
	s->ops->observe(s->self, e);
}

/* Moves the search, as many bytes as it says it uses, to the other place. The old place and the rest of the new one are filled with garbage. */
static int move(int place)
{
	uint64_t used = explore_used(places[place] + 16 * place);
	assert_true(used <= SIZE);
	memset(places[!place], 0x5a, sizeof places[!place]);
	memcpy(places[!place] + 16 * !place, places[place] + 16 * place, used);
	memset(places[place], 0xa5, sizeof places[place]);
	return !place;
}

/* Runs one execution and moves the search to another address when it ends. Returns false when the search is finished. */
static bool run_moving(int *place, enum run_verdict *verdict)
{
	struct strategy s;
	attach(*place, &s);
	if (!s.ops->begin(s.self))
		return false;
	*verdict = toy_execute(&toy, pick, observe, &s);
	*place = move(*place);
	attach(*place, &s);
	s.ops->end(s.self, &toy.trace, *verdict);
	*place = move(*place);
	return true;
}

static const struct explore_stats *stats(int place)
{
	return explore_stats(places[place] + 16 * place);
}

static bool small_program(struct toy_program *p, unsigned features, uint64_t i, struct toy_set *traces)
{
	uint64_t runs;
	toy_random(p, features, SEED, i);
	toy_init(&toy, p);
	bool small = toy_oracle(&toy, traces, 300, &runs);
	toy_init(&toy, p);
	return small;
}

static void create(int place, unsigned strategy)
{
	struct explore_config config = {.strategy = strategy};
	assert_true(explore_create(&config, places[place] + 16 * place, SIZE));
}

static void moves(void **state)
{
	for (uint64_t i = 0; i < 300; i++) {
		struct toy_program p;
		struct toy_set traces = {0}, found = {0};
		enum run_verdict verdict;
		int place = 0;
		if (!small_program(&p, TOY_F_MEM | TOY_F_LOCK | TOY_F_COND | TOY_F_DIE, i, &traces))
			goto next;
		create(place, i % 2 ? STRATEGY_OPTIMAL : STRATEGY_SOURCE);
		while (run_moving(&place, &verdict))
			if (verdict != RUN_CUT)
				assert_true(toy_set_add(&found, toy_trace_hash(&toy.trace)));
		assert_int_equal(found.n, traces.n);
		assert_int_equal(stats(place)->executions, traces.n);
		assert_int_equal(stats(place)->diverged, 0);
next:
		toy_set_clear(&traces);
		toy_set_clear(&found);
	}
}

/* The process is killed once, at any point. The search continues, and still finds no trace twice and none that does not exist. */
static void killed(void **state)
{
	unsigned checked = 0;
	for (uint64_t i = 0; i < 400; i++) {
		struct toy_program p;
		struct toy_set traces = {0}, found = {0};
		enum run_verdict verdict;
		int place = 0;
		uint64_t run = 0;
		if (!small_program(&p, TOY_F_MEM | TOY_F_LOCK | TOY_F_SEM, i, &traces))
			goto next;
		create(place, STRATEGY_OPTIMAL);
		for (;; run++) {
			toy.kill_at = run == i % 5 ? 2 + (uint32_t)(i * 7 % 23) : 0;
			if (!run_moving(&place, &verdict))
				break;
			if (verdict == RUN_FAILED || verdict == RUN_CUT)
				continue;
			checked++;
			assert_true(toy_set_has(&traces, toy_trace_hash(&toy.trace)));
			assert_true(toy_set_add(&found, toy_trace_hash(&toy.trace)));
		}
		assert_int_equal(stats(place)->out_of_memory, 0);
next:
		toy_set_clear(&traces);
		toy_set_clear(&found);
	}
	assert_true(checked > 400); /* an early death leaves little to explore */
}

/* Breaks the execution off in one of 16 states, before or after a pick; `lost` counts this. */
struct breaking {
	struct strategy s;
	uint64_t rng;
	bool lost;
};

static bool breaks_off(struct breaking *b, uint64_t when)
{
	b->rng = b->rng * UINT64_C(6364136223846793005) + 1442695040888963407;
	b->lost = b->rng >> 59 == when;
	return b->lost;
}

static int breaking_pick(void *ctx, const struct sched_view *view)
{
	struct breaking *b = ctx;
	if (breaks_off(b, 0))
		return PICK_STOP;
	int k = b->s.ops->pick(b->s.self, view);
	return k >= 0 && breaks_off(b, 1) ? PICK_STOP : k;
}

static void breaking_observe(void *ctx, const struct event *e)
{
	struct breaking *b = ctx;
	b->s.ops->observe(b->s.self, e);
}

/* Processes are killed by others. Each execution restarts until it completes, and nothing else changes. */
static void begins_again(unsigned strategy, unsigned features)
{
	unsigned lost = 0;
	for (uint64_t i = 0; i < 150; i++) {
		struct toy_program p;
		struct toy_set traces = {0}, found = {0};
		struct breaking b = {.rng = i};
		if (!small_program(&p, features, i, &traces))
			goto next;
		create(0, strategy);
		attach(0, &b.s);
		while (b.s.ops->begin(b.s.self)) {
			enum run_verdict verdict;
			while (verdict = toy_execute(&toy, breaking_pick, breaking_observe, &b), b.lost) {
				assert_true(b.s.ops->again(b.s.self));
				b.lost = false;
				lost++;
			}
			b.s.ops->end(b.s.self, &toy.trace, verdict);
			if (verdict != RUN_CUT && toy_set_add(&found, toy_trace_hash(&toy.trace)))
				assert_true(toy_set_has(&traces, toy_trace_hash(&toy.trace)));
		}
		assert_int_equal(found.n, traces.n);
		assert_int_equal(stats(0)->distinct_traces, traces.n);
		if (strategy != STRATEGY_AUTO)
			assert_int_equal(stats(0)->executions, traces.n);
		assert_int_equal(stats(0)->finished, 1);
		assert_int_equal(stats(0)->diverged, 0);
next:
		toy_set_clear(&traces);
		toy_set_clear(&found);
	}
	print_message("%s, features %#x: broken off %u times\n", explore_strategy_name(strategy), features, lost);
	assert_true(lost > 100);
}

static void broken_off(void **state)
{
	static const unsigned strategies[] = {STRATEGY_OPTIMAL, STRATEGY_SOURCE, STRATEGY_TRUST, STRATEGY_AUTO};
	static const unsigned features[] = {TOY_F_MEM | TOY_F_LOCK, TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS,
		TOY_F_RMW | TOY_F_SEM | TOY_F_DIE, TOY_F_COND | TOY_F_TIMED,
		TOY_F_MEM | TOY_F_CHOOSE | TOY_F_NOJOIN, TOY_F_MEM | TOY_F_LOCK | TOY_F_LATE_EXIT};
	for (unsigned k = 0; k < sizeof strategies / sizeof *strategies; k++)
		for (unsigned f = 0; f < sizeof features / sizeof *features; f++)
			begins_again(strategies[k], features[f]);
}

static void memory_used_up(void **state)
{
	struct toy_program p = {0};
	struct explore_config config = {.strategy = STRATEGY_OPTIMAL};
	size_t size = explore_min_memory(&config);
	struct strategy s;
	enum run_verdict verdict;
	for (unsigned t = 1; t <= 4; t++)
		for (int k = 0; k < 40; k++)
			toy_add(&p, t, TOY_STORE, k % 3, k, 0, 0, 0);
	toy_main(&p);
	toy_init(&toy, &p);
	assert_false(explore_create(&config, places[0], size - 1));
	assert_true(explore_create(&config, places[0], size));
	assert_true(explore_attach(places[0], size, &s));
	while (toy_run(&toy, &s, &verdict))
		;
	assert_int_equal(explore_stats(places[0])->out_of_memory, 1);
	assert_int_equal(explore_stats(places[0])->finished, 0);
	assert_false(s.ops->begin(s.self));
}

static void diverges(void **state)
{
	struct toy_program p = {0};
	struct explore_config config = {.strategy = STRATEGY_OPTIMAL};
	struct strategy s;
	enum run_verdict verdict;
	toy_add(&p, 1, TOY_STORE, 0, 1, 0, 0, 0);
	toy_add(&p, 1, TOY_STORE, 1, 1, 0, 0, 0);
	toy_add(&p, 2, TOY_STORE, 1, 1, 0, 0, 0);
	toy_main(&p);
	toy_init(&toy, &p);
	assert_true(explore_create(&config, places[0], SIZE));
	assert_true(explore_attach(places[0], SIZE, &s));
	assert_true(toy_run(&toy, &s, &verdict));
	p.code[1][0].op = TOY_YIELD; /* not the instruction of the earlier executions */
	while (toy_run(&toy, &s, &verdict))
		assert_int_equal(verdict, RUN_CUT);
	const struct explore_stats *st = explore_stats(places[0]);
	assert_int_equal(st->diverged, 1);
	assert_int_equal(st->finished, 0);
	assert_int_equal(st->divergence.expected.kind, EV_STORE);
	assert_int_equal(st->divergence.found.kind, EV_YIELD);
}

static void rubbish(void **state)
{
	struct strategy s;
	struct explore_config config = {.strategy = STRATEGY_COUNT};
	memset(places[0], 0, SIZE);
	assert_false(explore_attach(places[0], SIZE, &s));
	assert_false(explore_create(&config, places[0], SIZE));
	for (int k = 0; k < STRATEGY_COUNT; k++)
		assert_string_not_equal(explore_strategy_name((unsigned)k), "?");
	assert_string_equal(explore_strategy_name(STRATEGY_COUNT), "?");
}

static const unsigned samplers[] = {STRATEGY_RANDOM, STRATEGY_PCT, STRATEGY_POS, STRATEGY_SURW};

#define SAMPLES 50

static void create_sampler(unsigned strategy, uint64_t executions, uint64_t seed)
{
	struct explore_config config = {.strategy = strategy, .seed = seed, .depth = strategy == STRATEGY_PCT ? 3 : 0,
		.max_executions = executions};
	assert_true(explore_create(&config, places[0], SIZE));
}

/* Writes the hashes of all executions in order. */
static void sample_in_one_go(unsigned strategy, uint64_t seed, struct toy_hash out[SAMPLES])
{
	struct strategy s;
	enum run_verdict verdict;
	unsigned n = 0;
	create_sampler(strategy, SAMPLES, seed);
	attach(0, &s);
	for (; toy_run(&toy, &s, &verdict); n++)
		out[n] = toy_trace_hash(&toy.trace);
	assert_int_equal(n, SAMPLES);
	assert_int_equal(explore_stats(places[0])->executions, SAMPLES);
	assert_int_equal(explore_stats(places[0])->finished, 0);
}

/* The executions depend on the seed, and only on the seed. */
static void samples_repeat(void **state)
{
	struct toy_program p;
	struct toy_hash first[SAMPLES], second[SAMPLES];
	toy_random(&p, TOY_F_MEM | TOY_F_LOCK, SEED, 3);
	for (unsigned i = 0; i < 4; i++) {
		toy_init(&toy, &p);
		sample_in_one_go(samplers[i], 5, first);
		toy_init(&toy, &p);
		sample_in_one_go(samplers[i], 5, second);
		assert_memory_equal(first, second, sizeof first);
		sample_in_one_go(samplers[i], 6, second);
		assert_memory_not_equal(first, second, sizeof first);
	}
}

/* Raising the budget again and again gives the same executions as one run with the full budget. */
static void samples_extend(void **state)
{
	struct toy_program p;
	struct toy_hash first[SAMPLES];
	struct strategy s;
	enum run_verdict verdict;
	toy_random(&p, TOY_F_MEM | TOY_F_LOCK, SEED, 3);
	for (unsigned i = 0; i < 4; i++) {
		unsigned n = 0;
		toy_init(&toy, &p);
		sample_in_one_go(samplers[i], 5, first);
		create_sampler(samplers[i], 20, 5);
		attach(0, &s);
		for (; n < SAMPLES; explore_extend(places[0], 15, false))
			while (toy_run(&toy, &s, &verdict)) {
				struct toy_hash h = toy_trace_hash(&toy.trace);
				assert_memory_equal(&h, &first[n++], sizeof h);
			}
		assert_int_equal(n, SAMPLES);
		assert_int_equal(explore_stats(places[0])->executions, SAMPLES);
	}
}

/* Sampling continues in another process, at another address, in the middle of an execution and between two. */
static void samples_move(void **state)
{
	struct toy_program p;
	struct toy_hash first[SAMPLES];
	enum run_verdict verdict;
	toy_random(&p, TOY_F_MEM | TOY_F_LOCK, SEED, 3);
	for (unsigned i = 0; i < 4; i++) {
		unsigned n = 0;
		int place = 0;
		toy_init(&toy, &p);
		sample_in_one_go(samplers[i], 5, first);
		struct explore_stats in_one_go = *explore_stats(places[0]);
		create_sampler(samplers[i], SAMPLES, 5);
		for (; run_moving(&place, &verdict); n++) {
			struct toy_hash h = toy_trace_hash(&toy.trace);
			assert_memory_equal(&h, &first[n], sizeof h);
		}
		assert_int_equal(n, SAMPLES);
		assert_memory_equal(stats(place), &in_one_go, sizeof in_one_go);
	}
}

/* An execution can end because every thread waits for an elided iteration of a spin loop. Such an execution is not run again and again. */
static void random_continues_when_stuck(void **state)
{
	struct explore_config config = {.strategy = STRATEGY_RANDOM, .seed = 5};
	struct choice choices[200] = {{0}};
	struct event pending = {0};
	struct trace trace = {.threads = 1, .pending = &pending};
	struct sched_view view = {.choices = choices, .n = 200, .trace = &trace};
	struct strategy s;
	int first[8], second[8];

	assert_true(explore_create(&config, places[0], SIZE));
	attach(0, &s);
	assert_true(s.ops->begin(s.self));
	for (int i = 0; i < 8; i++)
		first[i] = s.ops->pick(s.self, &view);
	s.ops->end(s.self, &trace, RUN_COVERED);
	assert_true(s.ops->begin(s.self));
	for (int i = 0; i < 8; i++)
		second[i] = s.ops->pick(s.self, &view);
	assert_memory_not_equal(first, second, sizeof(first));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves), cmocka_unit_test(killed), cmocka_unit_test(broken_off), cmocka_unit_test(memory_used_up),
		cmocka_unit_test(diverges), cmocka_unit_test(rubbish), cmocka_unit_test(samples_repeat), cmocka_unit_test(samples_extend),
		cmocka_unit_test(samples_move),
		cmocka_unit_test(random_continues_when_stuck),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
