/*
 * Random tiny programs: every strategy explores exactly the set of traces that brute force finds.
 *
 * The oracle (lib_toy.c) runs all interleavings and shares no code with explore/. It identifies traces by events_dependent alone, and with store
 * buffers, which a few kinds of program use here, by Shasha-Snir traces (lib_weak.h; test_weak.c has more of them). Optimal must find each trace
 * once, with any order of threads, without redundant executions. Source must find each trace once, with some redundant executions. Exhaustive
 * must find the same set.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "explore/trace/trace_state.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_INTERLEAVINGS 400
#define WAITS (TOY_F_RW_ALL | TOY_F_DISCRETE | TOY_F_LOCK | TOY_F_SEM | TOY_F_COND | TOY_F_RW | TOY_F_BARRIER | TOY_F_ONCE | TOY_F_FUTEX | TOY_F_SPIN | TOY_F_CHOOSE)

static uint64_t seed = 20240229; /* or SEED from the environment */
static struct toy toy;
static _Alignas(16) char memory[8 << 20];

struct totals {
	uint64_t programs, too_big, interleavings, executions, blocked, source_blocked, infeasible;
};
static struct totals all;
static bool broken;     /* a dependence is missing: check() only counts the searches that this made wrong */
static uint64_t wrong;
static bool may_repeat; /* threads may have to wait in regions, or values are chosen: see explore/trace/unit.h; or large loads read buffers */

/* `assumed`: traces that end at a failed assumption. They are counted separately, but each must be found once too. */
static void check(struct totals *sum, struct toy_program *p, const struct toy_set *traces, const struct toy_set *assumed,
	unsigned strategy, uint32_t shuffle)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffle, .regions = toy.regions, .patience = p->patience || p->discrete_time};
	struct strategy s;
	struct toy_set found = {0}, found_assumed = {0};
	enum run_verdict verdict;
	uint64_t twice = 0, redundant = 0;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (toy_run(&toy, &s, &verdict)) {
		if (verdict == RUN_CUT)
			redundant++;
		else if (verdict == RUN_ASSUMED)
			twice += !toy_set_add(&found_assumed, toy_hash_of(&toy));
		else
			twice += !toy_set_add(&found, toy_hash_of(&toy));
	}
	const struct explore_stats *st = explore_stats(memory);
	size_t lost = toy_set_missing(traces, &found) + toy_set_missing(assumed, &found_assumed);
	size_t invented = toy_set_missing(&found, traces) + toy_set_missing(&found_assumed, assumed);
	bool once = strategy == STRATEGY_EXHAUSTIVE || may_repeat || (twice == 0 && st->executions == traces->n && st->assumed == assumed->n);
	bool counted = (may_repeat ? st->distinct_traces >= traces->n : st->distinct_traces == traces->n) && st->blocked == redundant && st->finished;
	bool quiet = !st->cut && !st->diverged && !st->out_of_memory;
	if (strategy == STRATEGY_OPTIMAL) {
		sum->executions += st->executions;
		sum->blocked += st->blocked;
		sum->infeasible += st->infeasible;
	} else {
		sum->source_blocked += st->blocked;
	}
	toy_set_clear(&found);
	toy_set_clear(&found_assumed);
	if (!lost && !invented && once && counted && quiet)
		return;
	if (broken) {
		wrong++;
		return;
	}
	print_error("%s, shuffle %u: lost %zu, invented %zu, twice %lu, executions %lu, traces %zu, distinct %lu\n",
		explore_strategy_name(strategy), shuffle, lost, invented, (unsigned long)twice,
		(unsigned long)st->executions, traces->n, (unsigned long)st->distinct_traces);
	toy_print(p);
	fail();
}

/* Returns whether a load is larger than the bytes whose forwarding is tracked. */
static bool loads_much(const struct toy_program *p)
{
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned i = 0; i < p->len[t]; i++)
			if (p->code[t][i].op == TOY_LOAD && p->code[t][i].size > FORWARD_BYTES)
				return true;
	return false;
}

/* Tests `n` programs with these features that are small enough, under this memory model. */
static struct totals programs_under(unsigned model, unsigned features, unsigned n)
{
	struct totals sum = {0};
	n = toy_random_part(n);
	for (uint64_t i = 0; sum.programs < n; i++) {
		struct toy_program p;
		struct toy_set traces = {0}, assumed = {0};
		uint64_t runs;
		toy_random(&p, features, seed, i);
		p.model = model;
		may_repeat = ((features & TOY_F_ATOMIC) && (features & WAITS)) || (model != MODEL_SC && loads_much(&p));
		toy_init(&toy, &p);
		toy_forget(&toy);
		if (!toy_oracle_assumed(&toy, &traces, &assumed, MOST_INTERLEAVINGS, &runs)) {
			sum.too_big++;
			toy_set_clear(&traces);
			toy_set_clear(&assumed);
			continue;
		}
		sum.interleavings += runs;
		sum.programs++;
		check(&sum, &p, &traces, &assumed, STRATEGY_OPTIMAL, 0);
		check(&sum, &p, &traces, &assumed, STRATEGY_OPTIMAL, (uint32_t)i + 1);
		check(&sum, &p, &traces, &assumed, STRATEGY_SOURCE, (uint32_t)i % 3);
		if (i % 32 == 0 && p.threads == 3 && runs <= 20) /* exhaustive also interleaves starts and ends */
			check(&sum, &p, &traces, &assumed, STRATEGY_EXHAUSTIVE, 0);
		toy_set_clear(&traces);
		toy_set_clear(&assumed);
	}
	all.programs += sum.programs;
	all.executions += sum.executions;
	all.blocked += sum.blocked;
	all.interleavings += sum.interleavings;
	print_message("%s, seed %lu features %#x: %lu programs (%lu too big), %lu interleavings; optimal %lu executions, %lu "
		      "redundant, %lu infeasible; source %lu redundant\n", memory_model_text(model), (unsigned long)seed, features, (unsigned long)sum.programs,
		(unsigned long)sum.too_big, (unsigned long)sum.interleavings, (unsigned long)sum.executions,
		(unsigned long)sum.blocked, (unsigned long)sum.infeasible, (unsigned long)sum.source_blocked);
	return sum;
}

static struct totals programs(unsigned features, unsigned n)
{
	return programs_under(MODEL_SC, features, n);
}

static void exact(unsigned features, unsigned n)
{
	struct totals sum = programs(features, n);
	assert_int_equal(sum.blocked, 0);
	assert_int_equal(sum.infeasible, 0);
}

static void memory_only(void **state)
{
	exact(TOY_F_MEM, 700);
	exact(TOY_F_MEM | TOY_F_RMW, 700);
}

/* A few planned executions may be redundant in two cases. The value that a compare-and-swap finds is not always known when accesses to other
   byte ranges overlap it. Nor is the value that a futex wait expects, when it found another one. */
static void seldom_redundant(unsigned features, unsigned n)
{
	struct totals sum = programs(features, n);
	assert_true(sum.blocked * 100 <= sum.executions);
	assert_int_equal(sum.infeasible, 0);
}

static void bytes(void **state)
{
	exact(TOY_F_MEM | TOY_F_BYTES, 800);
	seldom_redundant(TOY_F_RMW | TOY_F_BYTES, 600);
	seldom_redundant(TOY_F_MEM | TOY_F_RMW | TOY_F_BYTES, 800);
}

static void spins(void **state)
{
	exact(TOY_F_SPIN, 700);
	exact(TOY_F_SPIN | TOY_F_MEM | TOY_F_RMW, 700);
	exact(TOY_F_SPIN | TOY_F_LOCK | TOY_F_MEM | TOY_F_NOJOIN, 300);
	programs(TOY_F_SPIN | TOY_F_MEM | TOY_F_RMW | TOY_F_BYTES, 200); /* whether they wait is not always known, so many executions are redundant */
}

static void futexes(void **state)
{
	exact(TOY_F_FUTEX | TOY_F_LOCK, 400);
	seldom_redundant(TOY_F_FUTEX | TOY_F_MEM, 600);
	seldom_redundant(TOY_F_FUTEX | TOY_F_MEM | TOY_F_RMW, 500);
}

/* Additions that commute. What a compare-and-swap, a futex or a spin loop finds after some of them is not always known. */
static void additions(void **state)
{
	seldom_redundant(TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS, 700);
	seldom_redundant(TOY_F_RMW | TOY_F_ADDS, 300);
	seldom_redundant(TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS | TOY_F_BYTES, 500);
	seldom_redundant(TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS | TOY_F_LOCK, 300);
	seldom_redundant(TOY_F_FUTEX | TOY_F_RMW | TOY_F_ADDS, 500);
	programs(TOY_F_SPIN | TOY_F_RMW | TOY_F_ADDS, 500);
}

static void locks(void **state)
{
	exact(TOY_F_LOCK, 700);
	exact(TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM, 700);
}

static void semaphores(void **state)
{
	exact(TOY_F_SEM, 700);
	exact(TOY_F_SEM | TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM | TOY_F_RMW, 700);
}

static void conditions(void **state)
{
	exact(TOY_F_COND | TOY_F_LOCK, 700);
	exact(TOY_F_COND | TOY_F_TIMED | TOY_F_MEM, 500);
	exact(TOY_F_COND | TOY_F_SPURIOUS, 800);
}

static void rwlocks(void **state)
{
	exact(TOY_F_RW | TOY_F_MEM, 600);
	exact(TOY_F_RW | TOY_F_LOCK | TOY_F_SEM, 600);
	exact(TOY_F_RW_ALL, 1500);
	exact(TOY_F_RW_ALL | TOY_F_MEM, 400);
	exact(TOY_F_RW_ALL | TOY_F_LOCK | TOY_F_TRY, 400);
	exact(TOY_F_RW_ALL | TOY_F_PATIENT, 400);
	exact(TOY_F_RW_ALL | TOY_F_DISCRETE, 200);
	exact(TOY_F_RW_ALL | TOY_F_LATE_EXIT, 200);
	exact(TOY_F_RW_ALL | TOY_F_EXPLORE, 100);
	programs(TOY_F_RW_ALL | TOY_F_ATOMIC, 200);
}

/* The comparison notices if the beginning of a writer's wait is taken for independent of read locks. */
static void hidden_claims(void **state)
{
	broken = toy.claims_hidden = true;
	uint64_t kept = seed;
	for (unsigned k = 0; k < 50 && !wrong; k++, seed++)
		programs(TOY_F_RW_ALL, 50);
	seed = kept;
	broken = toy.claims_hidden = false;
	print_message("%lu searches are wrong without the dependence\n", (unsigned long)wrong);
	assert_true(wrong > 0);
}

static void others(void **state)
{
	exact(TOY_F_ONCE | TOY_F_MEM | TOY_F_LOCK, 400);
	exact(TOY_F_BARRIER | TOY_F_LOCK, 600);
	exact(TOY_F_BARRIER | TOY_F_MEM | TOY_F_SEM, 600);
}

static void ends(void **state)
{
	exact(TOY_F_DIE | TOY_F_MEM, 500);
	exact(TOY_F_NOJOIN | TOY_F_MEM | TOY_F_LOCK, 400);
}

/* Values that simul chooses, and assumptions. */
static void choices(void **state)
{
	exact(TOY_F_CHOOSE | TOY_F_MEM, 120);
	exact(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_MEM, 250);
	exact(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM | TOY_F_RMW, 120);
	exact(TOY_F_CHOOSE | TOY_F_COND | TOY_F_TIMED | TOY_F_ASSUME, 80);
	exact(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_SPIN | TOY_F_MEM, 80);
	exact(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_DIE | TOY_F_MEM, 100);
	exact(TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_NOJOIN | TOY_F_MEM, 100);
}

/* Regions to explore. */
static void regions(void **state)
{
	static const unsigned features[] = {
		TOY_F_MEM, TOY_F_MEM | TOY_F_RMW, TOY_F_LOCK | TOY_F_MEM, TOY_F_LOCK | TOY_F_TRY | TOY_F_SEM, TOY_F_COND | TOY_F_LOCK,
		TOY_F_COND | TOY_F_TIMED, TOY_F_RW | TOY_F_MEM, TOY_F_BARRIER | TOY_F_MEM, TOY_F_CHOOSE | TOY_F_MEM,
		TOY_F_DIE | TOY_F_MEM, TOY_F_NOJOIN | TOY_F_MEM | TOY_F_LOCK, TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_MEM,
	};
	for (unsigned k = 0; k < sizeof features / sizeof *features; k++)
		exact(features[k] | TOY_F_EXPLORE, 60);
	programs(TOY_F_SPIN | TOY_F_MEM | TOY_F_EXPLORE, 100); /* see spins() */
}

/* Atomic regions. */
static void atomic(void **state)
{
	static const unsigned features[] = {
		TOY_F_MEM, TOY_F_MEM | TOY_F_RMW, TOY_F_LOCK | TOY_F_MEM, TOY_F_LOCK | TOY_F_TRY | TOY_F_SEM, TOY_F_COND | TOY_F_LOCK,
		TOY_F_COND | TOY_F_TIMED, TOY_F_RW | TOY_F_MEM, TOY_F_BARRIER | TOY_F_MEM, TOY_F_CHOOSE | TOY_F_MEM,
		TOY_F_DIE | TOY_F_MEM, TOY_F_NOJOIN | TOY_F_MEM | TOY_F_LOCK, TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_MEM,
		TOY_F_SPIN | TOY_F_MEM, TOY_F_MEM | TOY_F_BYTES, TOY_F_FUTEX | TOY_F_MEM,
		TOY_F_DIE | TOY_F_MEM | TOY_F_LOCK, TOY_F_EXPLORE | TOY_F_MEM, TOY_F_EXPLORE | TOY_F_LOCK | TOY_F_MEM | TOY_F_NOJOIN,
	};
	for (unsigned k = 0; k < sizeof features / sizeof *features; k++)
		programs(features[k] | TOY_F_ATOMIC, 60);
}

/* The other kinds of object, with store buffers. */
static void store_buffers(void **state)
{
	static const unsigned features[] = {
		TOY_F_LOCK | TOY_F_TRY, TOY_F_SEM, TOY_F_COND | TOY_F_LOCK, TOY_F_COND | TOY_F_TIMED, TOY_F_RW, TOY_F_RW_ALL, TOY_F_ONCE | TOY_F_LOCK,
		TOY_F_BARRIER, TOY_F_FUTEX, TOY_F_DIE, TOY_F_NOJOIN | TOY_F_LOCK, TOY_F_SPIN, TOY_F_SPIN | TOY_F_RMW, TOY_F_RMW | TOY_F_BYTES,
		TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_LOCK, TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_NOJOIN,
	};
	for (unsigned k = 0; k < sizeof features / sizeof *features; k++)
		for (unsigned model = MODEL_TSO; model <= MODEL_PSO; model++) {
			struct totals sum = programs_under(model, features[k] | TOY_F_MEM, 100);
			/* It is not always known whether a thread waits in a spin loop when it reads its own store. */
			unsigned percent = features[k] & TOY_F_SPIN ? 5 : features[k] & TOY_F_BYTES ? 1 : 0;
			unsigned few = percent == 5 ? 50 : 0; /* in a part of the programs, one that spins can have most of them */
			assert_true(model == MODEL_PSO || sum.blocked * 100 <= (sum.executions + 20 * few) * percent);
			assert_true(model == MODEL_PSO || percent == 5 || sum.infeasible == 0);
		}
}

/* Regions, with store buffers. */
static void weak_regions(void **state)
{
	for (unsigned model = MODEL_TSO; model <= MODEL_PSO; model++) {
		programs_under(model, TOY_F_ATOMIC | TOY_F_MEM, 100);
		programs_under(model, TOY_F_ATOMIC | TOY_F_MEM | TOY_F_RMW | TOY_F_LOCK, 60);
		programs_under(model, TOY_F_EXPLORE | TOY_F_MEM, 60);
		programs_under(model, TOY_F_EXPLORE | TOY_F_ATOMIC | TOY_F_MEM, 60);
	}
}

/* Some timeouts expire only when no thread can continue otherwise; others expire at any time. */
static void patient(void **state)
{
	static const unsigned features[] = {
		TOY_F_COND | TOY_F_TIMED, TOY_F_COND | TOY_F_TIMED | TOY_F_MEM, TOY_F_COND | TOY_F_TIMED | TOY_F_LOCK | TOY_F_TRY,
		TOY_F_SEM, TOY_F_SEM | TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM, TOY_F_RW | TOY_F_LOCK | TOY_F_TRY, TOY_F_RW | TOY_F_SEM,
		TOY_F_FUTEX | TOY_F_LOCK, TOY_F_FUTEX | TOY_F_MEM, TOY_F_COND | TOY_F_TIMED | TOY_F_SPURIOUS, TOY_F_COND | TOY_F_TIMED | TOY_F_SEM,
		TOY_F_BARRIER | TOY_F_SEM, TOY_F_LOCK | TOY_F_TRY | TOY_F_DIE | TOY_F_MEM, TOY_F_COND | TOY_F_TIMED | TOY_F_NOJOIN | TOY_F_MEM,
		TOY_F_CHOOSE | TOY_F_COND | TOY_F_TIMED | TOY_F_ASSUME, TOY_F_EXPLORE | TOY_F_COND | TOY_F_TIMED, TOY_F_SEM | TOY_F_ONCE | TOY_F_TRY | TOY_F_LOCK,
	};
	for (unsigned k = 0; k < sizeof features / sizeof *features; k++)
		exact(features[k] | TOY_F_PATIENT, 50);
	programs(TOY_F_ATOMIC | TOY_F_COND | TOY_F_TIMED | TOY_F_PATIENT, 40);
	programs(TOY_F_ATOMIC | TOY_F_SEM | TOY_F_MEM | TOY_F_PATIENT, 40);
	programs(TOY_F_SPIN | TOY_F_SEM | TOY_F_MEM | TOY_F_PATIENT, 40);
	for (unsigned model = MODEL_TSO; model <= MODEL_PSO; model++) {
		programs_under(model, TOY_F_COND | TOY_F_TIMED | TOY_F_MEM | TOY_F_PATIENT, 30);
		programs_under(model, TOY_F_SEM | TOY_F_MEM | TOY_F_PATIENT, 30);
	}
}

/* Sleeps and timeouts end only when nothing else can happen, in the order of their deadlines. */
static void discrete_time(void **state)
{
	static const unsigned features[] = {
		0, TOY_F_MEM, TOY_F_MEM | TOY_F_RMW, TOY_F_LOCK | TOY_F_MEM, TOY_F_COND | TOY_F_TIMED, TOY_F_COND | TOY_F_TIMED | TOY_F_MEM,
		TOY_F_COND | TOY_F_TIMED | TOY_F_LOCK | TOY_F_TRY, TOY_F_SEM, TOY_F_SEM | TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM, TOY_F_RW | TOY_F_LOCK | TOY_F_TRY,
		TOY_F_FUTEX | TOY_F_LOCK, TOY_F_FUTEX | TOY_F_MEM, TOY_F_COND | TOY_F_TIMED | TOY_F_SPURIOUS, TOY_F_BARRIER | TOY_F_SEM,
		TOY_F_LOCK | TOY_F_TRY | TOY_F_DIE | TOY_F_MEM, TOY_F_COND | TOY_F_TIMED | TOY_F_NOJOIN | TOY_F_MEM, TOY_F_LATE_EXIT | TOY_F_MEM,
		TOY_F_CHOOSE | TOY_F_COND | TOY_F_TIMED | TOY_F_ASSUME, TOY_F_SPIN | TOY_F_MEM, TOY_F_ONCE | TOY_F_LOCK,
	};
	for (unsigned k = 0; k < sizeof features / sizeof *features; k++)
		exact(features[k] | TOY_F_DISCRETE, 100);
	programs(TOY_F_ATOMIC | TOY_F_MEM | TOY_F_DISCRETE, 60);
	programs(TOY_F_ATOMIC | TOY_F_COND | TOY_F_TIMED | TOY_F_DISCRETE, 40);
	programs(TOY_F_EXPLORE | TOY_F_COND | TOY_F_TIMED | TOY_F_DISCRETE, 40); /* a timeout outside a region cannot move, so some plans fail */
	for (unsigned model = MODEL_TSO; model <= MODEL_PSO; model++) {
		programs_under(model, TOY_F_MEM | TOY_F_DISCRETE, 60);
		programs_under(model, TOY_F_COND | TOY_F_TIMED | TOY_F_MEM | TOY_F_DISCRETE, 30);
	}
}

/* Exits that happen only when nothing else can happen. */
static void late_exits(void **state)
{
	static const unsigned features[] = {
		TOY_F_MEM, TOY_F_MEM | TOY_F_RMW, TOY_F_LOCK | TOY_F_MEM, TOY_F_LOCK | TOY_F_TRY | TOY_F_SEM, TOY_F_COND | TOY_F_LOCK,
		TOY_F_COND | TOY_F_TIMED | TOY_F_MEM, TOY_F_COND | TOY_F_SPURIOUS, TOY_F_RW | TOY_F_MEM, TOY_F_BARRIER | TOY_F_MEM, TOY_F_ONCE | TOY_F_LOCK,
		TOY_F_CHOOSE | TOY_F_MEM, TOY_F_DIE | TOY_F_MEM, TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_MEM, TOY_F_FUTEX | TOY_F_LOCK,
		TOY_F_SPIN | TOY_F_MEM, TOY_F_SPIN | TOY_F_LOCK | TOY_F_MEM, TOY_F_EXPLORE | TOY_F_MEM | TOY_F_LOCK,
		TOY_F_PATIENT | TOY_F_COND | TOY_F_TIMED, TOY_F_PATIENT | TOY_F_SEM | TOY_F_MEM,
	};
	for (unsigned k = 0; k < sizeof features / sizeof *features; k++)
		exact(features[k] | TOY_F_LATE_EXIT, 100);
	programs(TOY_F_ATOMIC | TOY_F_MEM | TOY_F_LATE_EXIT, 60);
	programs(TOY_F_ATOMIC | TOY_F_MEM | TOY_F_LOCK | TOY_F_LATE_EXIT, 60);
	for (unsigned model = MODEL_TSO; model <= MODEL_PSO; model++) {
		programs_under(model, TOY_F_MEM | TOY_F_LATE_EXIT, 100);
		programs_under(model, TOY_F_MEM | TOY_F_LOCK | TOY_F_LATE_EXIT, 60);
		programs_under(model, TOY_F_MEM | TOY_F_RMW | TOY_F_LATE_EXIT, 60);
	}
}

/* Barriers without a last arrival. More threads than a round needs may use them. */
static void meetings(void **state)
{
	static const unsigned features[] = {
		0, TOY_F_MEM, TOY_F_LOCK, TOY_F_MEM | TOY_F_SEM, TOY_F_MEM | TOY_F_RMW, TOY_F_COND | TOY_F_TIMED, TOY_F_SPIN | TOY_F_MEM,
		TOY_F_LATE_EXIT | TOY_F_MEM, TOY_F_DIE | TOY_F_MEM, TOY_F_NOJOIN | TOY_F_LOCK, TOY_F_CHOOSE | TOY_F_MEM, TOY_F_EXPLORE | TOY_F_MEM,
	};
	for (unsigned k = 0; k < sizeof features / sizeof *features; k++)
		exact(features[k] | TOY_F_BARRIER | TOY_F_MEET, 200);
	programs(TOY_F_ATOMIC | TOY_F_MEM | TOY_F_BARRIER | TOY_F_MEET, 60);
	for (unsigned model = MODEL_TSO; model <= MODEL_PSO; model++)
		programs_under(model, TOY_F_MEM | TOY_F_BARRIER | TOY_F_MEET, 100);
}

static void enough(void **state)
{
	print_message("%lu programs, %lu interleavings, %lu traces found by optimal\n", (unsigned long)all.programs,
		(unsigned long)all.interleavings, (unsigned long)all.executions);
	assert_true(all.programs >= toy_random_part(10000));
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed = test_seed(seed);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_only), cmocka_unit_test(bytes), cmocka_unit_test(spins), cmocka_unit_test(futexes), cmocka_unit_test(locks), cmocka_unit_test(semaphores),
		cmocka_unit_test(conditions), cmocka_unit_test(rwlocks), cmocka_unit_test(hidden_claims), cmocka_unit_test(others),
		cmocka_unit_test(ends), cmocka_unit_test(choices), cmocka_unit_test(regions), cmocka_unit_test(atomic), cmocka_unit_test(store_buffers), cmocka_unit_test(weak_regions), cmocka_unit_test(patient), cmocka_unit_test(discrete_time), cmocka_unit_test(late_exits), cmocka_unit_test(meetings),
		cmocka_unit_test(additions), cmocka_unit_test(enough),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
