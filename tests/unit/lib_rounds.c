/* See lib_rounds.h. */
#include "tests/unit/lib_rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define MOST_EXECUTIONS 1000
#define SCHEDULES 150 /* random schedules of each program */
#define VERY_LONG (TOY_TRACE - 2) /* events of a random schedule: one that is longer does not end */
#define ENOUGH 3      /* schedules that do not end */

struct toy rounds_toy;
struct rounds_limits rounds_limits;
struct endless_limits rounds_endless;
bool rounds_falter;
_Alignas(16) char rounds_memory[8 << 20];
uint64_t rounds_random;

unsigned rounds_below(unsigned n)
{
	rounds_random = rounds_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(rounds_random >> 33) % n;
}

/* ---- programs ---- */

void rounds_critical(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2);
	toy_add(p, t, TOY_LOCK, m, 0, 0, 0, 0);
	if (rounds_below(2))
		toy_add(p, t, TOY_STORE, (int)rounds_below(2), 1 + (int)rounds_below(2), 0, 0, 0);
	else
		toy_add(p, t, TOY_LOAD, SEEN, (int)rounds_below(2), 0, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* Tries a lock once and records whether it was free. */
void rounds_try_once(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2);
	toy_add(p, t, TOY_TRYLOCK, m, OWN, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, OWN, 0, 1, 0, 0);
	toy_add(p, t, TOY_UNLOCK, m, 0, 0, 0, 0);
}

/* Tries a lock up to three times and records the number of tries. */
void rounds_try_thrice(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2), loop = p->len[t] + 1;
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
void rounds_hold_and_try(struct toy_program *p, unsigned t)
{
	int m = (int)rounds_below(2);
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

void rounds_set_flag(struct toy_program *p, unsigned t)
{
	toy_add(p, t, TOY_STORE, (int)rounds_below(2), 1, 0, 0, 0);
}

/* ---- outcomes ---- */

/* The outcome of an execution: memory and registers. */
static struct toy_hash outcome(enum run_verdict verdict)
{
	struct toy_hash h = { verdict + 1, 1 };
	for (unsigned v = 0; v < 8 * 8; v++)
		h.a = (h.a ^ rounds_toy.mem[v]) * UINT64_C(0x100000001b3);
	for (unsigned t = 0; t < rounds_toy.p->threads; t++)
		for (unsigned r = 0; r < TOY_REGS; r++)
			h.a = (h.a ^ (uint64_t)rounds_toy.thread[t].reg[r]) * UINT64_C(0x100000001b3) + r;
	return h;
}

static int any(void *ctx, const struct sched_view *view)
{
	return (int)rounds_below(view->n);
}

unsigned rounds_unending; /* random schedules that did not end */
unsigned rounds_beyond;   /* random schedules outside of the rounds_limits, with other outcomes */

static unsigned turns[TOY_THREADS][TOY_CODE]; /* operations since the thread did anything but wait */
static bool within;                           /* the random schedule has stayed within the rounds_limits so far */

/* Counts the turns of a random schedule. */
static void watch(void *ctx, const struct event *e)
{
	unsigned t = rounds_toy.index[e->thread], pc = rounds_toy.thread[t].pc;
	const struct toy_instr *i = &rounds_toy.p->code[t][pc];
	bool changes = i->op == TOY_XCHG && rounds_toy.mem[8 * i->a] != i->b;
	bool counts = i->op == TOY_TIMEDWAIT ? e->kind == EV_COND_TIMEOUT : i->counts;
	if (counts && ++turns[t][pc] > ROUNDS_TRIED)
		within = false;
	if (i->op == TOY_STORE || i->op == TOY_SIGNAL || i->op == TOY_BROADCAST || e->kind == EV_COND_WOKEN || e->kind == EV_COND_WAKE || changes)
		memset(turns[t], 0, sizeof turns[t]);
}

/* Returns how many outcomes of random schedules with all rounds are not in the set. */
unsigned rounds_lost_outcomes(struct toy_program *p, const struct toy_set *in)
{
	unsigned lost = 0;
	rounds_unending = rounds_beyond = 0;
	toy_init(&rounds_toy, p);
	rounds_toy.max_steps = VERY_LONG;
	for (unsigned i = 0; i < SCHEDULES; i++) {
		memset(turns, 0, sizeof turns);
		within = true;
		enum run_verdict v = toy_execute(&rounds_toy, any, watch, NULL);
		bool missed = v != RUN_CUT && !toy_set_has(in, outcome(v));
		rounds_unending += v == RUN_CUT;
		rounds_beyond += missed && !within;
		lost += missed && within;
		if (rounds_unending >= ENOUGH)
			break;
	}
	return lost;
}

/* ---- searches ---- */

void rounds_search(struct toy_program *p, unsigned strategy, uint32_t shuffle, bool blind, struct found *f)
{
	struct explore_config config = { .strategy = strategy, .shuffle = shuffle };
	struct strategy s;
	enum run_verdict v;
	*f = (struct found){ 0 };
	toy_init(&rounds_toy, p);
	rounds_toy.rounds = 1;
	rounds_toy.limits = rounds_limits.n ? &rounds_limits : NULL;
	rounds_toy.threads = rounds_endless.n ? &rounds_endless : NULL;
	rounds_toy.stops = 1;
	rounds_toy.falters = rounds_falter;
	rounds_toy.max_steps = LONGEST;
	rounds_toy.blind = blind;
	rounds_toy.run_on = true;
	assert_true(explore_create(&config, rounds_memory, sizeof rounds_memory));
	assert_true(explore_attach(rounds_memory, sizeof rounds_memory, &s));
	while (f->runs++ < MOST_EXECUTIONS && toy_run(&rounds_toy, &s, &v) && !rounds_toy.cut) {
		if (v == RUN_CUT || v == RUN_COVERED)
			continue;
		f->twice += !toy_set_add(&f->traces, toy_hash_of(&rounds_toy));
		toy_set_add(&f->outcomes, outcome(v));
	}
	f->endless = rounds_toy.endless;
	f->deadlocks = rounds_toy.deadlocks;
	f->cut = rounds_toy.cut + (f->runs > MOST_EXECUTIONS);
	assert_false(explore_stats(rounds_memory)->diverged || explore_stats(rounds_memory)->out_of_memory);
}

void rounds_clear(struct found *f)
{
	toy_set_clear(&f->traces);
	toy_set_clear(&f->outcomes);
}

static bool same(const struct toy_set *a, const struct toy_set *b)
{
	return a->n == b->n && toy_set_missing(a, b) == 0;
}

void rounds_check(struct toy_program *p, unsigned strategy, uint32_t shuffle, const struct toy_set *traces)
{
	struct found f;
	rounds_search(p, strategy, shuffle, false, &f);
	bool good = same(&f.traces, traces) && (strategy == STRATEGY_EXHAUSTIVE || !f.twice) && !f.cut;
	if (!good) {
		print_error("%s, shuffle %u: %zu traces, brute force %zu, lost %zu, twice %lu\n", explore_strategy_name(strategy), shuffle,
			f.traces.n, traces->n, toy_set_missing(traces, &f.traces), (unsigned long)f.twice);
		toy_print(p);
		fail();
	}
	rounds_clear(&f);
}
