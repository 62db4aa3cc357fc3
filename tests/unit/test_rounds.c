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

#include "tests/unit/lib_rounds.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

/* ---- programs ---- */

/* while (trylock(m)) yield; */
static void try_until(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2), loop = p->len[t];
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
	int m = (int)rounds_below(2), loop = p->len[t];
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	if (rounds_below(2))
		toy_waits(p, t);
	toy_add(p, t, TOY_LOAD, SEEN, (int)rounds_below(2), 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, SEEN, 0, 2, 0, 0);
	toy_add(p, t, rounds_below(2) ? TOY_SLEEP : TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

/* Like std::lock: holds one lock, tries the other, and releases the first if that fails. */
static void lock_both(struct toy_program *p, unsigned t)
{
	int a = (int)rounds_below(2), loop = p->len[t];
	toy_add(p, t, TOY_LOCK, a, 0, 0, 0, 0);
	if (rounds_below(2))
		toy_waits(p, t);
	toy_add(p, t, TOY_TRYLOCK, 1 - a, GOT, 0, 0, 0);
	if (rounds_below(2))
		toy_waits(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 1, 3, 0, 0);
	toy_add(p, t, TOY_UNLOCK, a, 0, 0, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, 1 - a, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, a, 0, 0, 0, 0);
}

/* Holds one lock, writes, tries the other, and releases the first from time to time. */
static void write_and_try(struct toy_program *p, unsigned t)
{
	int a = (int)rounds_below(2);
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
	int m = (int)rounds_below(2);
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
	toy_add(p, t, TOY_LOAD, SEEN, (int)rounds_below(2), 0, 0, 0);
	toy_add(p, t, TOY_STORE, 5, 1, 0, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_SKIP_NE, SEEN, 0, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

/* Resets the variable that the other thread writes, and adds up the values that it reads afterwards. */
static void put_back(struct toy_program *p, unsigned t)
{
	for (unsigned n = 1 + rounds_below(2); n; n--) {
		toy_add(p, t, TOY_STORE, 5, 0, 0, 0, 0);
		toy_add(p, t, TOY_LOAD, GOT, 5, 0, 0, 0);
		toy_add(p, t, TOY_SUM, OWN, GOT, 0, 0, 0);
	}
	toy_add(p, t, TOY_STORE, (int)rounds_below(2), 1, 0, 0, 0);
}

/* do { yield; x += 1; seen = flag; x -= 1; } while (!seen); also by exchanges and stores */
static void write_and_undo(struct toy_program *p, unsigned t)
{
	int loop = p->len[t];
	unsigned how = rounds_below(3);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	if (how == 0)
		toy_add(p, t, TOY_ADD, 5, 1, 0, 0, 0);
	else if (how == 1)
		toy_add(p, t, TOY_XCHG, 5, 1, GOT, 0, 0);
	else
		toy_add(p, t, TOY_STORE, 5, 1, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, SEEN, (int)rounds_below(2), 0, 0, 0);
	if (how == 0)
		toy_add(p, t, TOY_ADD, 5, -1, 0, 0, 0);
	else
		toy_add(p, t, TOY_STORE, 5, 0, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, SEEN, 0, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

/* Records what it finds in that variable, perhaps changes it, and ends the other thread's wait. */
static void observe(struct toy_program *p, unsigned t)
{
	for (unsigned n = 1 + rounds_below(3); n; n--) {
		toy_add(p, t, TOY_LOAD, GOT, 5, 0, 0, 0);
		toy_add(p, t, TOY_SUM, OWN, OWN, 0, 0, 0);
		toy_add(p, t, TOY_SUM, OWN, GOT, 0, 0, 0);
	}
	if (rounds_below(3) == 0)
		toy_add(p, t, TOY_ADD, 5, 2, 0, 0, 0);
	toy_add(p, t, TOY_STORE, (int)rounds_below(2), 1, 0, 0, 0);
}

/* Takes one word by an exchange, then the other one; gives the first one back if that fails. */
static void swap_both(struct toy_program *p, unsigned t)
{
	int a = 4 + (int)rounds_below(2), b = 9 - a, loop = p->len[t];
	toy_add(p, t, TOY_XCHG, a, 1, GOT, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, GOT, 0, 3, 0, 0);
	toy_add(p, t, TOY_XCHG, b, 1, GOT, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 0, 3, 0, 0);
	toy_add(p, t, TOY_STORE, a, 0, 0, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, b, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, a, 0, 0, 0, 0);
}

/* for (;;) { lock(m); unlock(m); } */
static void for_ever(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2), loop = p->len[t];
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	toy_waits(p, t);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

static void generate(struct toy_program *p, uint64_t seed, uint64_t i)
{
	static void (*const piece[])(struct toy_program *, unsigned) = {
		rounds_critical, try_until, poll_flag, lock_both, rounds_try_once, rounds_try_thrice, rounds_set_flag, rounds_critical, rounds_try_once, for_ever };
	static void (*const pair[][2])(struct toy_program *, unsigned) = {
		{ lock_both, rounds_hold_and_try }, { write_and_try, read_both }, { poll_and_write, put_back }, { write_and_undo, observe }, { swap_both, swap_both } };
	rounds_random = (seed + i) * UINT64_C(0x9e3779b97f4a7c15);
	rounds_below(2);
	*p = (struct toy_program){ .name = "rounds" };
	unsigned threads = 2 + (rounds_below(3) == 0);
	p->threads = threads + 1;
	toy_main(p);
	unsigned k = rounds_below(8);
	for (unsigned t = 1; t <= threads; t++) {
		if (k < sizeof pair / sizeof *pair && t <= 2)
			pair[k][t - 1](p, t);
		for (unsigned n = (k >= sizeof pair / sizeof *pair || t > 2) + rounds_below(threads == 2 ? 2 + (k >= sizeof pair / sizeof *pair) : 1); n; n--)
			piece[rounds_below(sizeof piece / sizeof *piece)](p, t);
	}
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
		rounds_search(&p, STRATEGY_OPTIMAL, 0, false, &f);
		covered += explore_stats(rounds_memory)->blocked;
		if (!f.cut) {
			unsigned lost = rounds_lost_outcomes(&p, &f.outcomes);
			waits += f.endless && rounds_unending;
			complete += !f.endless;
			if (lost || f.twice || (rounds_unending && !f.endless)) {
				print_error("optimal: %u outcomes lost, %lu traces twice, %u random schedules do not end\n", lost,
					(unsigned long)f.twice, f.endless ? 0 : rounds_unending);
				toy_print(&p);
				fail();
			}
			rounds_search(&p, STRATEGY_OPTIMAL, 0, true, &blind);
			blind_lost += !blind.cut && rounds_lost_outcomes(&p, &blind.outcomes);
			rounds_clear(&blind);
		}
		bool cut = f.cut;
		endless += cut;
		rounds_clear(&f);
		toy_init(&rounds_toy, &p);
		rounds_toy.rounds = 1;
		rounds_toy.max_steps = LONGEST;
		if (cut || !toy_oracle(&rounds_toy, &traces, MOST_INTERLEAVINGS, &runs)) {
			too_big += !cut;
			toy_set_clear(&traces);
			continue;
		}
		rounds_check(&p, STRATEGY_OPTIMAL, 0, &traces);
		rounds_check(&p, STRATEGY_OPTIMAL, (uint32_t)i + 1, &traces);
		rounds_check(&p, STRATEGY_SOURCE, (uint32_t)i % 3, &traces);
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
	rounds_search(&p, STRATEGY_OPTIMAL, 0, false, &f);
	assert_int_equal(f.traces.n, 2);
	assert_int_equal(f.twice, 0);
	rounds_clear(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(try_until_alone),
		cmocka_unit_test(random_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
