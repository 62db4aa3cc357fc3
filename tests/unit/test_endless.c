/*
 * Threads that never end (sched/endless.h), on random tiny programs: main waits for some threads and returns, and one thread loops for ever.
 *
 * Each strategy finds the traces that brute force finds with the same limit, each once. The outcomes are those of the program whose thread is
 * written out: it makes as many turns as the limit allows, and no more. If the limit does not depend on the thread's own events alone, they differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/unit/lib_rounds.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define BEATS 1 /* the thread that never ends */

/* flag++, which other threads may see */
static void add_to_flag(struct toy_program *p, unsigned t)
{
	int x = (int)rounds_below(2);
	toy_add(p, t, TOY_LOAD, SEEN, x, 0, 0, 0);
	toy_add(p, t, TOY_ADDMOD, SEEN, 1, 100, 0, 0);
	toy_add(p, t, TOY_SUM, OWN, SEEN, 0, 0, 0);
	toy_add(p, t, TOY_STORE, x, 1 + (int)rounds_below(3), 0, 0, 0);
}

static void look_at_flag(struct toy_program *p, unsigned t)
{
	toy_add(p, t, TOY_LOAD, SEEN, (int)rounds_below(2), 0, 0, 0);
	toy_add(p, t, TOY_SUM, OWN, SEEN, 0, 0, 0);
}

static void post(struct toy_program *p, unsigned t)
{
	toy_add(p, t, TOY_POST, 0, 0, 0, 0, 0);
}

static void try_semaphore(struct toy_program *p, unsigned t)
{
	toy_add(p, t, TOY_SEMTRY, 0, GOT, 0, 0, 0);
	toy_add(p, t, TOY_SUM, OWN, GOT, 0, 0, 0);
}

/* lock(m); wake; unlock(m); */
static void wake(struct toy_program *p, unsigned t)
{
	toy_add(p, t, TOY_LOCK, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_SIGNAL, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, 0, 0, 0, 0, 0);
}

static void (*const piece[])(struct toy_program *, unsigned) = {
	add_to_flag, look_at_flag, post, try_semaphore, rounds_critical, rounds_try_once, rounds_set_flag, wake };

static void some_pieces(struct toy_program *p, unsigned t, unsigned n, uint64_t random)
{
	rounds_random = random;
	for (; n; n--)
		piece[rounds_below(sizeof piece / sizeof *piece)](p, t);
}

/* The parts of the loop: before the place of the limit, and behind it. */
struct loop {
	unsigned before, behind; /* pieces */
	uint64_t random[2];
	bool waits; /* the place is lock(m); timed wait; unlock(m) and not a sleep */
};

static void place(struct toy_program *p, const struct loop *l, bool timed)
{
	if (!l->waits) {
		toy_add(p, BEATS, TOY_SLEEP, 0, 0, 0, 0, 0);
		toy_counts(p, BEATS);
		return;
	}
	toy_add(p, BEATS, TOY_LOCK, 0, 0, 0, 0, 0);
	if (timed)
		toy_add(p, BEATS, TOY_TIMEDWAIT, 0, 0, GOT, 0, 0);
	else
		toy_add(p, BEATS, TOY_WAIT, 0, 0, 0, 0, 0);
	toy_counts(p, BEATS);
	if (!timed)
		toy_add(p, BEATS, TOY_SET, GOT, 0, 0, 0, 0);
	toy_add(p, BEATS, TOY_UNLOCK, 0, 0, 0, 0, 0);
}

static void turn(struct toy_program *p, const struct loop *l, bool timed)
{
	some_pieces(p, BEATS, l->before, l->random[0]);
	place(p, l, timed);
	some_pieces(p, BEATS, l->behind, l->random[1]);
}

/* for (;;) turn; */
static void for_ever(struct toy_program *p, const struct loop *l)
{
	turn(p, l, true);
	toy_add(p, BEATS, TOY_JUMP, 0, 0, 0, 0, 0);
}

/* What remains of that with a limit. */
static void written_out(struct toy_program *p, const struct loop *l)
{
	for (unsigned i = 0; i < ROUNDS_TRIED; i++)
		turn(p, l, true);
	int again = p->len[BEATS];
	if (l->waits) { /* it can still be woken */
		turn(p, l, false);
		toy_add(p, BEATS, TOY_JUMP, again, 0, 0, 0, 0);
	} else {
		some_pieces(p, BEATS, l->before, l->random[0]);
	}
}

static void generate(struct toy_program *endless, struct toy_program *limited, uint64_t seed, uint64_t i)
{
	rounds_random = (seed + i) * UINT64_C(0x9e3779b97f4a7c15);
	rounds_below(2);
	struct toy_program p = { .name = "endless", .threads = 3 + (rounds_below(4) == 0), .late_exit = true };
	for (unsigned k = 1; k < p.threads; k++)
		toy_add(&p, 0, TOY_SPAWN, (int)k, 0, 0, 0, 0);
	struct loop l = { .before = rounds_below(2), .behind = rounds_below(2), .waits = rounds_below(3) == 0 };
	l.random[0] = rounds_random ^ 1;
	l.random[1] = rounds_random ^ 2;
	uint64_t random = rounds_random;
	for (unsigned t = BEATS + 1; t < p.threads; t++)
		some_pieces(&p, t, 1 + (p.threads == 3 && t % 2), random ^ (t << 8));
	for (unsigned k = BEATS + 1; k < p.threads; k++)
		toy_add(&p, 0, TOY_JOIN, (int)k, 0, 0, 0, 0);
	*endless = *limited = p;
	for_ever(endless, &l);
	written_out(limited, &l);
	rounds_endless = (struct endless_limits){ 0 };
	for (unsigned pc = 0; pc < endless->len[BEATS]; pc++)
		if (endless->code[BEATS][pc].counts) {
			unsigned kind = l.waits ? EV_COND_WAIT : EV_SLEEP;
			rounds_endless.at[0].thread = BEATS;
			rounds_endless.at[0].place = toy_turn(BEATS, pc) << 8 | kind;
			rounds_endless.n = 1;
		}
}

static bool subset(const struct toy_set *a, const struct toy_set *b)
{
	size_t n = 0;
	for (size_t k = 0; k < a->cap; k++)
		n += (a->h[k].a || a->h[k].b) && !toy_set_has(b, a->h[k]);
	return n == 0;
}

/* Returns whether the search of the program has the outcomes `want`, and meets no trace twice. */
static bool good(struct toy_program *p, const struct toy_set *want, bool *cut)
{
	struct found f;
	rounds_search(p, STRATEGY_OPTIMAL, 0, false, &f);
	bool same = f.outcomes.n == want->n && subset(&f.outcomes, want) && !f.twice && !f.cut;
	*cut = f.cut;
	rounds_clear(&f);
	return same;
}

/* Returns whether brute force finds all traces of the program; then each strategy must find the same. */
static bool compare_traces(struct toy_program *p, uint32_t i)
{
	struct toy_set traces = { 0 };
	uint64_t runs;
	toy_init(&rounds_toy, p);
	rounds_toy.rounds = rounds_toy.stops = 1;
	rounds_toy.threads = &rounds_endless;
	rounds_toy.max_steps = LONGEST;
	bool all = toy_oracle(&rounds_toy, &traces, MOST_INTERLEAVINGS, &runs);
	if (all) {
		rounds_check(p, STRATEGY_OPTIMAL, 0, &traces);
		rounds_check(p, STRATEGY_OPTIMAL, i + 1, &traces);
		rounds_check(p, STRATEGY_SOURCE, i % 3, &traces);
	}
	toy_set_clear(&traces);
	return all;
}

static void random_programs(void **state)
{
	uint64_t seed = test_seed(20261124);
	unsigned tried = 0, too_big = 0, broken = 0, n = toy_random_part(300) < 40 ? 40 : toy_random_part(300);
	for (uint64_t i = 0; tried < n; i++) {
		struct toy_program p, limited;
		struct found f;
		bool cut;
		generate(&p, &limited, seed, i);
		struct endless_limits known = rounds_endless;
		rounds_endless.n = 0;
		rounds_search(&limited, STRATEGY_OPTIMAL, 0, false, &f);
		rounds_endless = known;
		if (f.cut) {
			rounds_clear(&f);
			too_big++;
			continue;
		}
		if (!good(&p, &f.outcomes, &cut)) {
			print_error("the outcomes are not those of the program that is written out\n");
			toy_print(&p);
			toy_print(&limited);
			fail();
		}
		assert_true(rounds_endless.used);
		rounds_falter = true;
		broken += !good(&p, &f.outcomes, &cut);
		rounds_falter = false;
		rounds_clear(&f);
		too_big += !compare_traces(&p, (uint32_t)i);
		tried++;
	}
	print_message("seed %lu: %u programs, %u too big; %u go wrong if limits depend on the step\n", (unsigned long)seed, tried, too_big, broken);
	assert_true(broken > 0);
	rounds_endless.n = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
