/*
 * Elided rounds of waiting loops (sched/rounds.h), on random tiny programs: loops that try a lock, read a flag under a lock, take two locks, or
 * try a few times and give up, beside threads that observe all of that.
 *
 * Without the elided rounds, each strategy finds the traces that brute force finds, each once. Nothing is lost: the outcome of any random
 * schedule of the whole program, with all its rounds, is among those found. If the states omit the registers, outcomes are lost. If some random
 * schedule does not end, neither does some execution that runs on. If executions do not run on, a search misses that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_INTERLEAVINGS 3000
#define MOST_EXECUTIONS 1000
#define SCHEDULES 150 /* random schedules of each program */
#define LONGEST 150   /* events of an execution */
#define VERY_LONG (TOY_TRACE - 2) /* events of a random schedule: one that is longer does not end */
#define ENOUGH 3      /* schedules that do not end */

static struct toy toy;
static _Alignas(16) char memory[8 << 20];
static uint64_t rng;

static unsigned below(unsigned n)
{
	rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(rng >> 33) % n;
}

/* ---- programs ---- */

enum { GOT, TRIES, SEEN, OWN }; /* registers */

static void critical(struct toy_program *p, unsigned t)
{
	int m = (int)below(2);
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	if (below(2))
		toy_add(p, t, TOY_STORE, (int)below(2), 1 + (int)below(2), 0, 0, 0);
	else
		toy_add(p, t, TOY_LOAD, SEEN, (int)below(2), 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* while (trylock(m)) yield; */
static void try_until(struct toy_program *p, unsigned t)
{
	int m = (int)below(2), loop = p->len[t];
	toy_add(p, t, TOY_TRYLOCK, m, GOT, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 1, 2, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, 2 + m, (int)t, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* do { lock(m); seen = flag; unlock(m); sleep; } while (!seen); */
static void poll_flag(struct toy_program *p, unsigned t)
{
	int m = (int)below(2), loop = p->len[t];
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	if (below(2))
		toy_waits(p, t);
	toy_add(p, t, TOY_LOAD, SEEN, (int)below(2), 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, SEEN, 0, 2, 0, 0);
	toy_add(p, t, below(2) ? TOY_SLEEP : TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

/* Like std::lock: holds one lock, tries the other, and releases the first if that fails. */
static void lock_both(struct toy_program *p, unsigned t)
{
	int a = (int)below(2), loop = p->len[t];
	toy_add(p, t, TOY_LOCK, a, 0, 0, 0, 0);
	if (below(2))
		toy_waits(p, t);
	toy_add(p, t, TOY_TRYLOCK, 1 - a, GOT, 0, 0, 0);
	if (below(2))
		toy_waits(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 1, 3, 0, 0);
	toy_add(p, t, TOY_UNLOCK, a, 0, 0, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, 1 - a, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, a, 0, 0, 0, 0);
}

/* Tries a lock once and records whether it was free. */
static void try_once(struct toy_program *p, unsigned t)
{
	int m = (int)below(2);
	toy_add(p, t, TOY_TRYLOCK, m, OWN, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, OWN, 0, 1, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* Tries a lock up to three times and records the number of tries. */
static void try_thrice(struct toy_program *p, unsigned t)
{
	int m = (int)below(2), loop = p->len[t] + 1;
	toy_add(p, t, TOY_SET, TRIES, 0, 0, 0, 0);
	toy_add(p, t, TOY_TRYLOCK, m, GOT, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 1, 5, 0, 0);
	toy_add(p, t, TOY_ADDMOD, TRIES, 1, 100, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, TRIES, 3, 2, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, TRIES, 3, 1, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* Holds a lock and records which of three tries of another lock fail in that time. */
static void hold_and_try(struct toy_program *p, unsigned t)
{
	int m = (int)below(2);
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	for (int bit = 1; bit < 8; bit *= 2) {
		toy_add(p, t, TOY_TRYLOCK, 1 - m, GOT, 0, 0, 0);
		toy_add(p, t, TOY_SKIP_EQ, GOT, 1, 1, 0, 0);
		toy_add(p, t, TOY_ADDMOD, OWN, bit, 100, 0, 0);
		toy_add(p, t, TOY_SKIP_EQ, GOT, 0, 1, 0, 0);
		toy_add(p, t, TOY_UNLOCK, 1 - m, 0, 0, 0, 0);
	}
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* Holds one lock, writes, tries the other, and releases the first from time to time. */
static void write_and_try(struct toy_program *p, unsigned t)
{
	int a = (int)below(2);
	toy_add(p, t, TOY_LOCK, a, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, 4, 1, 0, 0, 0);
	int loop = p->len[t];
	toy_add(p, t, TOY_TRYLOCK, 1 - a, GOT, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 1, 3, 0, 0);
	toy_add(p, t, TOY_UNLOCK, a, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOCK, a, 0, 0, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, 1 - a, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, a, 0, 0, 0, 0);
}

/* Reads the other thread's write while it holds one lock, and again while it holds both. */
static void read_both(struct toy_program *p, unsigned t)
{
	int m = (int)below(2);
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, SEEN, 4, 0, 0, 0);
	toy_add(p, t, TOY_LOCK, 1 - m, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, OWN, 4, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, 1 - m, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* do { seen = flag; x = 1; yield; } while (!seen); */
static void poll_and_write(struct toy_program *p, unsigned t)
{
	int loop = p->len[t];
	toy_add(p, t, TOY_LOAD, SEEN, (int)below(2), 0, 0, 0);
	toy_add(p, t, TOY_STORE, 5, 1, 0, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_SKIP_NE, SEEN, 0, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

/* Resets the variable that the other thread writes, and adds up the values that it reads afterwards. */
static void put_back(struct toy_program *p, unsigned t)
{
	for (unsigned n = 1 + below(2); n; n--) {
		toy_add(p, t, TOY_STORE, 5, 0, 0, 0, 0);
		toy_add(p, t, TOY_LOAD, GOT, 5, 0, 0, 0);
		toy_add(p, t, TOY_SUM, OWN, GOT, 0, 0, 0);
	}
	toy_add(p, t, TOY_STORE, (int)below(2), 1, 0, 0, 0);
}

/* for (;;) { lock(m); unlock(m); } */
static void for_ever(struct toy_program *p, unsigned t)
{
	int m = (int)below(2), loop = p->len[t];
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

static void set_flag(struct toy_program *p, unsigned t)
{
	toy_add(p, t, TOY_STORE, (int)below(2), 1, 0, 0, 0);
}

static void generate(struct toy_program *p, uint64_t seed, uint64_t i)
{
	static void (*const piece[])(struct toy_program *, unsigned) = {
		critical, try_until, poll_flag, lock_both, try_once, try_thrice, set_flag, critical, try_once, for_ever };
	static void (*const pair[][2])(struct toy_program *, unsigned) = {
		{ lock_both, hold_and_try }, { write_and_try, read_both }, { poll_and_write, put_back } };
	rng = (seed + i) * UINT64_C(0x9e3779b97f4a7c15);
	below(2);
	*p = (struct toy_program){ .name = "rounds" };
	unsigned threads = 2 + (below(3) == 0);
	p->threads = threads + 1;
	toy_main(p);
	unsigned k = below(6);
	for (unsigned t = 1; t <= threads; t++) {
		if (k < 3 && t <= 2)
			pair[k][t - 1](p, t);
		for (unsigned n = (k >= 3 || t > 2) + below(threads == 2 ? 2 + (k >= 3) : 1); n; n--)
			piece[below(sizeof piece / sizeof *piece)](p, t);
	}
}

/* ---- outcomes ---- */

/* The outcome of an execution: memory and registers. */
static struct toy_hash outcome(enum run_verdict verdict)
{
	struct toy_hash h = { verdict + 1, 1 };
	for (unsigned v = 0; v < 8 * 8; v++)
		h.a = (h.a ^ toy.mem[v]) * UINT64_C(0x100000001b3);
	for (unsigned t = 0; t < toy.p->threads; t++)
		for (unsigned r = 0; r < TOY_REGS; r++)
			h.a = (h.a ^ (uint64_t)toy.thread[t].reg[r]) * UINT64_C(0x100000001b3) + r;
	return h;
}

static int any(void *ctx, const struct sched_view *view)
{
	return (int)below(view->n);
}

static unsigned unending; /* random schedules that did not end */

/* Returns how many outcomes of random schedules with all rounds are not in the set. */
static unsigned lost_outcomes(struct toy_program *p, const struct toy_set *in)
{
	unsigned lost = 0;
	unending = 0;
	toy_init(&toy, p);
	toy.max_steps = VERY_LONG;
	for (unsigned i = 0; i < SCHEDULES; i++) {
		enum run_verdict v = toy_execute(&toy, any, NULL, NULL);
		unending += v == RUN_CUT;
		lost += v != RUN_CUT && !toy_set_has(in, outcome(v));
		if (unending >= ENOUGH)
			break;
	}
	return lost;
}

/* ---- searches ---- */

struct found {
	struct toy_set traces, outcomes;
	uint64_t twice, cut, runs, endless;
};

static void search(struct toy_program *p, unsigned strategy, uint32_t shuffle, bool blind, struct found *f)
{
	struct explore_config config = { .strategy = strategy, .shuffle = shuffle };
	struct strategy s;
	enum run_verdict v;
	*f = (struct found){ 0 };
	toy_init(&toy, p);
	toy.rounds = 1;
	toy.max_steps = LONGEST;
	toy.blind = blind;
	toy.run_on = true;
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (f->runs++ < MOST_EXECUTIONS && toy_run(&toy, &s, &v) && !toy.cut) {
		if (v == RUN_CUT || v == RUN_COVERED)
			continue;
		f->twice += !toy_set_add(&f->traces, toy_hash_of(&toy));
		toy_set_add(&f->outcomes, outcome(v));
	}
	f->endless = toy.endless;
	f->cut = toy.cut + (f->runs > MOST_EXECUTIONS);
	assert_false(explore_stats(memory)->diverged || explore_stats(memory)->out_of_memory);
}

static void clear(struct found *f)
{
	toy_set_clear(&f->traces);
	toy_set_clear(&f->outcomes);
}

static size_t missing(const struct toy_set *from, const struct toy_set *in)
{
	size_t n = 0;
	for (size_t k = 0; k < from->cap; k++)
		n += (from->h[k].a || from->h[k].b) && !toy_set_has(in, from->h[k]);
	return n;
}

static bool same(const struct toy_set *a, const struct toy_set *b)
{
	return a->n == b->n && missing(a, b) == 0;
}

static void check(struct toy_program *p, unsigned strategy, uint32_t shuffle, const struct toy_set *traces)
{
	struct found f;
	search(p, strategy, shuffle, false, &f);
	bool good = same(&f.traces, traces) && (strategy == STRATEGY_EXHAUSTIVE || !f.twice) && !f.cut;
	if (!good) {
		print_error("%s, shuffle %u: %zu traces, brute force %zu, lost %zu, twice %lu\n", explore_strategy_name(strategy), shuffle,
			f.traces.n, traces->n, missing(traces, &f.traces), (unsigned long)f.twice);
		toy_print(p);
		fail();
	}
	clear(&f);
}

static void random_programs(void **state)
{
	uint64_t seed = test_seed(20261122), covered = 0;
	unsigned tried = 0, too_big = 0, endless = 0, waits = 0, complete = 0, blind_lost = 0, n = toy_random_part(300);
	/* A small share may contain no program with loops that never end. Then the next programs run as well. */
	for (uint64_t i = 0; tried < n || ((!waits || !blind_lost) && tried < 300); i++) {
		struct toy_program p;
		struct toy_set traces = { 0 };
		struct found f, blind;
		uint64_t runs;
		generate(&p, seed, i);
		search(&p, STRATEGY_OPTIMAL, 0, false, &f);
		covered += explore_stats(memory)->blocked;
		if (!f.cut) {
			unsigned lost = lost_outcomes(&p, &f.outcomes);
			waits += f.endless && unending;
			complete += !f.endless;
			if (lost || f.twice || (unending && !f.endless)) {
				print_error("optimal: %u outcomes lost, %lu traces twice, %u random schedules do not end\n", lost,
					(unsigned long)f.twice, f.endless ? 0 : unending);
				toy_print(&p);
				fail();
			}
			search(&p, STRATEGY_OPTIMAL, 0, true, &blind);
			blind_lost += !blind.cut && lost_outcomes(&p, &blind.outcomes);
			clear(&blind);
		}
		bool cut = f.cut;
		endless += cut;
		clear(&f);
		toy_init(&toy, &p);
		toy.rounds = 1;
		toy.max_steps = LONGEST;
		if (cut || !toy_oracle(&toy, &traces, MOST_INTERLEAVINGS, &runs)) {
			too_big += !cut;
			toy_set_clear(&traces);
			continue;
		}
		check(&p, STRATEGY_OPTIMAL, 0, &traces);
		check(&p, STRATEGY_OPTIMAL, (uint32_t)i + 1, &traces);
		check(&p, STRATEGY_SOURCE, (uint32_t)i % 3, &traces);
		toy_set_clear(&traces);
		tried++;
	}
	print_message("seed %lu: %u programs, %u too big for brute force, %u may wait for ever; %lu redundant executions; without registers "
		      "outcomes of %u are lost; %u complete, %u would be so if executions did not run on\n", (unsigned long)seed, tried, too_big,
		      endless, (unsigned long)covered, blind_lost, complete, waits);
	assert_true(waits > 0 && complete > 0);
	assert_true(blind_lost > 0);
	assert_true(covered > 0);
}

/* Threads that each try a lock until they get it. */
static void try_until_alone(void **state)
{
	struct toy_program p = { .name = "trylock", .threads = 3 };
	struct found f;
	toy_main(&p);
	for (unsigned t = 1; t <= 2; t++) {
		toy_add(&p, t, TOY_TRYLOCK, 0, GOT, 0, 0, 0);
		toy_waits(&p, t);
		toy_add(&p, t, TOY_SKIP_EQ, GOT, 1, 2, 0, 0);
		toy_add(&p, t, TOY_YIELD, 0, 0, 0, 0, 0);
		toy_add(&p, t, TOY_JUMP, 0, 0, 0, 0, 0);
		toy_add(&p, t, TOY_UNLOCK, 0, 0, 0, 0, 0);
	}
	search(&p, STRATEGY_OPTIMAL, 0, false, &f);
	assert_int_equal(f.traces.n, 2);
	assert_int_equal(f.twice, 0);
	clear(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(try_until_alone),
		cmocka_unit_test(random_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
