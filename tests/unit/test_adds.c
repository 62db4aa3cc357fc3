/*
 * Additions that commute (M_ADD in sched/event.h). Random programs whose threads mostly add to the bytes of one variable, and read them, compare and swap them or wait for a value there:
 *
 *  - each strategy explores exactly the traces that brute force finds (lib_toy_oracle.c);
 *  - leaving out the orders of additions loses no outcome, under each memory model. The outcome is what memory and the registers hold at the
 *    end. Exhaustive search of the same program with ordinary additions gives all of them. Where exchanges pretend to be additions, this
 *    comparison fails.
 *
 * What an operation finds after some of the additions is not always known, so a few planned executions are redundant.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_EXECUTIONS 500

static uint64_t seed = 20261128; /* or SEED from the environment */
static struct toy toy;
static _Alignas(16) char memory[8 << 20];

/* ---- programs ---- */

static unsigned rnd(uint64_t *r, unsigned n)
{
	*r = *r * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*r >> 33) % n;
}

static void operation(struct toy_program *p, unsigned t, uint64_t *r, bool spins)
{
	static const uint8_t sizes[] = {0, 0, 0, 0, 8, 4, 1};
	unsigned kind = rnd(r, spins ? 14 : 12), size = sizes[rnd(r, sizeof sizes)];
	int at = size && size < 8 && rnd(r, 2) ? (int)size : 0, loop = p->len[t];
	if (kind < 7) {
		toy_add(p, t, TOY_ADD, at, rnd(r, 3) ? 1 + (int)rnd(r, 2) : -1, 0, 0, 0);
		toy_ordered(p, t, rnd(r, 6) ? TOY_COMMUTES : TOY_CARRIES);
	} else if (kind < 9) {
		toy_add(p, t, TOY_LOAD, (int)rnd(r, 2), at, 0, 0, 0);
	} else if (kind < 11) {
		toy_add(p, t, TOY_CAS, at, (int)rnd(r, 4), 5, (int)rnd(r, 2), 0);
	} else if (kind < 12) {
		toy_add(p, t, TOY_STORE, at, 1 + (int)rnd(r, 2), 0, 0, 0);
	} else { /* waits for a value */
		toy_add(p, t, TOY_LOAD, 2, 0, 0, 0, 0);
		toy_spins(p, t);
		toy_add(p, t, rnd(r, 2) ? TOY_SKIP_EQ : TOY_SKIP_NE, 2, (int)rnd(r, 4), 1, 0, 0);
		toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
		return;
	}
	if (size)
		toy_sized(p, t, size);
}

/* Builds program number i: 2 or 3 threads, which share one variable. */
static void dense(struct toy_program *p, uint64_t i, bool spins)
{
	uint64_t r = seed * UINT64_C(1000003) + i;
	unsigned threads = 2 + rnd(&r, 2), most = threads == 2 ? 4 : 3;
	*p = (struct toy_program){.name = "additions"};
	rnd(&r, 2);
	for (unsigned t = 1; t <= threads; t++)
		for (unsigned n = 1 + rnd(&r, most); n; n--)
			operation(p, t, &r, spins);
	toy_main(p);
}

/* ---- outcomes ---- */

static struct toy_hash outcome(enum run_verdict verdict)
{
	struct toy_hash h = {(uint64_t)verdict, 1};
	for (unsigned k = 0; k < sizeof toy.mem; k++)
		if (toy.mem[k])
			h.a += mix64(mix64(k + 1) ^ toy.mem[k]);
	for (unsigned t = 0; t < toy.p->threads; t++)
		for (unsigned r = 0; r < TOY_REGS; r++)
			h.b += mix64(mix64(64 * t + r + 1) ^ (uint64_t)toy.thread[t].reg[r]);
	return h;
}

/* Sets *out to the outcomes that the strategy finds. Returns the number of executions; 0: there are too many. */
static uint64_t outcomes(struct toy_program *p, unsigned strategy, uint32_t shuffle, struct toy_set *out)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffle, .buffers = p->model != MODEL_SC};
	struct strategy s;
	enum run_verdict verdict;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (toy_run(&toy, &s, &verdict)) {
		if (verdict_is_whole(verdict))
			toy_set_add(out, outcome(verdict));
		if (explore_stats(memory)->executions > MOST_EXECUTIONS)
			return 0;
	}
	assert_true(explore_stats(memory)->finished);
	return explore_stats(memory)->executions;
}

static bool commutes(const struct toy_instr *i)
{
	return i->order == TOY_COMMUTES;
}

/* Makes all additions of *p ordinary ones. Returns how many commuted. */
static unsigned ordinary(struct toy_program *p)
{
	unsigned n = 0;
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned k = 0; k < p->len[t]; k++)
			if (commutes(&p->code[t][k])) {
				p->code[t][k].order = p->code[t][k].op == TOY_ADD ? TOY_CARRIES : TOY_PLAIN;
				n++;
			}
	return n;
}

/* Broken: what is announced as an addition that commutes is an exchange, whose result is used. */
static void pretend(struct toy_program *p)
{
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned k = 0; k < p->len[t]; k++)
			if (commutes(&p->code[t][k]))
				p->code[t][k].op = TOY_XCHG;
}

struct totals {
	uint64_t programs, all, kept, lost;
};

static void compare(struct toy_program *p, struct totals *sum, uint32_t shuffle, bool broken)
{
	static const unsigned strategies[] = {STRATEGY_OPTIMAL, STRATEGY_SOURCE, STRATEGY_TRUST};
	struct toy_program plain;
	struct toy_set expected = {0};
	uint64_t all;
	if (broken)
		pretend(p);
	plain = *p;
	if (ordinary(&plain) < 2)
		return;
	all = outcomes(&plain, STRATEGY_EXHAUSTIVE, 0, &expected);
	for (unsigned k = 0; all && k < sizeof strategies / sizeof *strategies; k++) {
		struct toy_set found = {0};
		if (strategies[k] == STRATEGY_TRUST && p->model != MODEL_SC)
			continue;
		uint64_t n = outcomes(p, strategies[k], shuffle, &found);
		size_t lost = toy_set_missing(&expected, &found), invented = toy_set_missing(&found, &expected);
		assert_true(n);
		sum->kept += k ? 0 : n;
		sum->lost += lost;
		if (!broken && (lost || invented)) {
			print_error("%s, %s: %zu outcomes lost, %zu invented\n", memory_model_text(p->model), explore_strategy_name(strategies[k]), lost, invented);
			toy_print(p);
			fail();
		}
		toy_set_clear(&found);
	}
	sum->all += all;
	sum->programs += all != 0;
	toy_set_clear(&expected);
}

static struct totals programs(unsigned model, unsigned n, bool spins, bool broken)
{
	struct totals sum = {0};
	for (uint64_t i = 0; sum.programs < n; i++) {
		struct toy_program p;
		dense(&p, i, spins);
		p.model = model;
		compare(&p, &sum, (uint32_t)i % 4, broken);
	}
	print_message("%s: %lu programs; %lu interleavings, %lu executions of optimal, %lu outcomes lost\n", memory_model_text(model), (unsigned long)sum.programs,
		(unsigned long)sum.all, (unsigned long)sum.kept, (unsigned long)sum.lost);
	return sum;
}

static void no_outcome_is_lost(void **state)
{
	programs(MODEL_SC, toy_random_part(1500), false, false);
	programs(MODEL_TSO, toy_random_part(300), false, false);
	programs(MODEL_PSO, toy_random_part(300), false, false);
}

static void exchanges_do_not_commute(void **state)
{
	assert_true(programs(MODEL_SC, 40, false, true).lost > 0);
}

/* ---- traces ---- */

struct counts {
	uint64_t programs, executions, redundant;
};

/* may_repeat: the strategy may find a trace more than once. */
static void check(struct toy_program *p, const struct toy_set *traces, unsigned strategy, uint32_t shuffle, bool may_repeat, struct counts *sum)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffle};
	struct strategy s;
	struct toy_set found = {0};
	enum run_verdict verdict;
	uint64_t twice = 0;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (toy_run(&toy, &s, &verdict))
		if (verdict == RUN_CUT)
			sum->redundant++;
		else
			twice += !toy_set_add(&found, toy_hash_of(&toy));
	sum->executions += explore_stats(memory)->executions;
	size_t lost = toy_set_missing(traces, &found), invented = toy_set_missing(&found, traces);
	if (lost || invented || (twice && !may_repeat)) {
		print_error("%s, shuffle %u: %zu traces lost, %zu invented, %lu twice, of %zu\n", explore_strategy_name(strategy), shuffle, lost, invented, (unsigned long)twice, traces->n);
		toy_print(p);
		fail();
	}
	toy_set_clear(&found);
}

static void each_trace_once(bool spins, unsigned n)
{
	struct counts optimal = {0}, others = {0};
	n = toy_random_part(n);
	for (uint64_t i = 0; optimal.programs < n; i++) {
		struct toy_program p;
		struct toy_set traces = {0};
		uint64_t runs;
		dense(&p, i, spins);
		toy_init(&toy, &p);
		toy_forget(&toy);
		if (toy_oracle(&toy, &traces, MOST_EXECUTIONS, &runs)) {
			optimal.programs++;
			check(&p, &traces, STRATEGY_OPTIMAL, (uint32_t)i % 4, false, &optimal);
			check(&p, &traces, STRATEGY_SOURCE, (uint32_t)i % 3, false, &others);
			check(&p, &traces, STRATEGY_TRUST, (uint32_t)i % 2, spins, &others);
		}
		toy_set_clear(&traces);
	}
	print_message("%lu programs: %lu executions of optimal, %lu redundant\n", (unsigned long)optimal.programs, (unsigned long)optimal.executions, (unsigned long)optimal.redundant);
	assert_true(spins || optimal.redundant * 50 <= optimal.executions);
}

static void traces(void **state)
{
	each_trace_once(false, 5000);
	each_trace_once(true, 5000);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed = test_seed(seed);
	const struct CMUnitTest tests[] = {cmocka_unit_test(traces), cmocka_unit_test(no_outcome_is_lost), cmocka_unit_test(exchanges_do_not_commute)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
