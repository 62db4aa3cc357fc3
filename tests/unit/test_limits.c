/*
 * Limits of waiting loops (struct rounds_limits), on random tiny programs whose loops count their turns.
 *
 * Each strategy finds the traces that brute force finds with the same limits, each once. The outcome of any random schedule of the whole program that
 * stays within the limits is found. If another outcome is not, the search has recorded that limits were used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "tests/unit/lib_rounds.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

/* Jumps back to `loop` until OWN is 2. */
static void again(struct toy_program *p, unsigned t, int loop)
{
	toy_add(p, t, TOY_ADDMOD, OWN, 1, 100, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, OWN, 2, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

/* while (trylock(m)) { tries++; yield; } flag = 1; unlock(m); once or twice */
static void count_tries(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2), twice = rounds_below(4) == 0;
	toy_add(p, t, TOY_SET, OWN, 1 - twice, 0, 0, 0);
	int loop = p->len[t];
	toy_add(p, t, TOY_TRYLOCK, m, GOT, 0, 0, 0);
	toy_counts(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 1, 3, 0, 0);
	toy_add(p, t, TOY_ADDMOD, TRIES, 1, 100, 0, 0);
	toy_add(p, t, TOY_YIELD, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, (int)rounds_below(2), 1, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
	again(p, t, loop);
}

/* do { lock(m); seen = flag; unlock(m); tries++; sleep; } while (!seen); */
static void count_polls(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2), loop = p->len[t];
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, SEEN, (int)rounds_below(2), 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
	toy_add(p, t, TOY_ADDMOD, TRIES, 1, 100, 0, 0);
	toy_add(p, t, TOY_SLEEP, 0, 0, 0, 0, 0);
	toy_counts(p, t);
	toy_add(p, t, TOY_SKIP_NE, SEEN, 0, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
}

/* lock(m); while (!flag) if (timed wait times out) tries++; unlock(m); */
static void count_timeouts(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2);
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	int loop = p->len[t];
	toy_add(p, t, TOY_LOAD, SEEN, (int)rounds_below(2), 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, SEEN, 0, 4, 0, 0);
	toy_add(p, t, TOY_TIMEDWAIT, m, m, GOT, 0, 0);
	toy_counts(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 0, 1, 0, 0);
	toy_add(p, t, TOY_ADDMOD, TRIES, 1, 100, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* lock(m); flag = 1; wake; unlock(m); or without the lock */
static void wake(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2), locks = (int)rounds_below(2);
	if (locks)
		toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	if (rounds_below(3))
		toy_add(p, t, TOY_STORE, (int)rounds_below(2), 1, 0, 0, 0);
	toy_add(p, t, rounds_below(2) ? TOY_SIGNAL : TOY_BROADCAST, m, 0, 0, 0, 0);
	if (locks)
		toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* while (exchange(&l, 1)) tries++; exchange(&l, 0); once or twice */
static void count_swaps(struct toy_program *p, unsigned t)
{
	toy_add(p, t, TOY_SET, OWN, (int)rounds_below(2), 0, 0, 0);
	int loop = p->len[t];
	toy_add(p, t, TOY_XCHG, 6, 1, GOT, 0, 0);
	toy_counts(p, t);
	toy_add(p, t, TOY_SKIP_EQ, GOT, 0, 2, 0, 0);
	toy_add(p, t, TOY_ADDMOD, TRIES, 1, 100, 0, 0);
	toy_add(p, t, TOY_JUMP, loop, 0, 0, 0, 0);
	toy_add(p, t, TOY_XCHG, 6, 0, GOT, 0, 0);
	again(p, t, loop);
}

static void generate_counting(struct toy_program *p, uint64_t seed, uint64_t i)
{
	static void (*const loop[])(struct toy_program *, unsigned) = { count_tries, count_polls, count_swaps, count_timeouts };
	static void (*const piece[])(struct toy_program *, unsigned) = {
		count_tries, count_polls, count_swaps, count_timeouts, wake, rounds_critical, rounds_set_flag, rounds_try_once, rounds_try_thrice,
		rounds_hold_and_try };
	rounds_random = (seed + i) * UINT64_C(0x9e3779b97f4a7c15);
	rounds_below(2);
	*p = (struct toy_program){ .name = "limits" };
	p->threads = 3 + (rounds_below(4) == 0);
	toy_main(p);
	unsigned first = rounds_below(4);
	loop[first](p, 1);
	if (first == 3)
		wake(p, 2);
	for (unsigned t = 1; t < p->threads; t++)
		for (unsigned n = t > 1 ? 1 + rounds_below(2) : rounds_below(2); n; n--)
			piece[rounds_below(sizeof piece / sizeof *piece)](p, t);
	rounds_limits = (struct rounds_limits){ .limited = ~UINT64_C(0) };
	for (unsigned t = 1; t < p->threads; t++)
		for (unsigned pc = 0; pc < p->len[t]; pc++) {
			unsigned op = p->code[t][pc].op;
			unsigned kind = op == TOY_XCHG ? EV_RMW : op == TOY_SLEEP ? EV_SLEEP : op == TOY_TIMEDWAIT ? EV_COND_WAIT : EV_MUTEX_TRYLOCK;
			if (p->code[t][pc].counts)
				rounds_limits.place[rounds_limits.n++] = toy_turn(t, pc) << 8 | kind;
		}
}

static void limited_programs(void **state)
{
	uint64_t seed = test_seed(20261123);
	unsigned tried = 0, too_big = 0, left_out = 0, used = 0, n = toy_random_part(300);
	for (uint64_t i = 0; tried < n; i++) {
		struct toy_program p;
		struct toy_set traces = { 0 };
		struct found f;
		uint64_t runs;
		generate_counting(&p, seed, i);
		rounds_search(&p, STRATEGY_OPTIMAL, 0, false, &f);
		unsigned lost = f.cut ? 0 : rounds_lost_outcomes(&p, &f.outcomes);
		if (lost || f.twice || (rounds_beyond && !rounds_limits.used && !f.cut)) {
			print_error("limits: %u outcomes lost, %u beyond them, used %u, %lu traces twice\n", lost, rounds_beyond, rounds_limits.used,
				(unsigned long)f.twice);
			toy_print(&p);
			fail();
		}
		assert_false(f.deadlocks); /* no thread waits for a lock while it holds one */
		bool cut = f.cut;
		left_out += !cut && rounds_beyond;
		used += !cut && rounds_limits.used;
		rounds_clear(&f);
		toy_init(&rounds_toy, &p);
		rounds_toy.rounds = 1;
		rounds_toy.limits = &rounds_limits;
		rounds_toy.max_steps = LONGEST;
		if (cut || !toy_oracle(&rounds_toy, &traces, MOST_INTERLEAVINGS, &runs)) {
			too_big++;
			toy_set_clear(&traces);
			continue;
		}
		rounds_check(&p, STRATEGY_OPTIMAL, 0, &traces);
		rounds_check(&p, STRATEGY_OPTIMAL, (uint32_t)i + 1, &traces);
		rounds_check(&p, STRATEGY_SOURCE, (uint32_t)i % 3, &traces);
		toy_set_clear(&traces);
		tried++;
	}
	print_message("seed %lu: %u programs with limits, %u too big for brute force; of all, %u exceed the limits, and schedules of %u then have "
		      "other outcomes\n", (unsigned long)seed, tried, too_big, used, left_out);
	assert_true(used > 0 && left_out > 0);
	rounds_limits = (struct rounds_limits){ 0 };
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limited_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
