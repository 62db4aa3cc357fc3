/*
 * Store buffers: the world's behaviour and the exploration, against an oracle that shares no code with either (lib_weak.h).
 *
 * Known litmus tests have known numbers of Shasha-Snir traces. On random programs, under sequential consistency, TSO and PSO, every strategy
 * must find exactly the oracle's traces. Optimal must find each once and, except where it cannot know, without redundant executions.
 *
 * Environment: WEAK_PROGRAMS (number of programs; 10000), SEED, WEAK_FIRST (the first one), WEAK_FAILURES (number of failures before the test
 * stops; 1), WEAK_SHUFFLES (additional thread orders for each program; 1), WEAK_STATES (programs with more states are too big), FILTER (only
 * tests whose names contain it). Failing programs are made smaller and printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"
#include "tests/unit/lib_weak.h"

static struct toy toy;
static _Alignas(16) char memory[32 << 20];

static uint64_t seed_used;

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* ---- one program, one strategy ---- */

struct job {
	struct toy_program p; /* including its memory model */
	unsigned strategy;
	uint32_t shuffle;
	uint64_t number;      /* of a random program */
};

struct result {
	size_t traces, lost, invented;
	struct toy_hash one_lost;
	uint64_t twice, redundant;
	bool cut_short; /* gave up: no end in sight */
	bool as_expected;
	struct explore_stats stats;
};

static size_t missing(const struct toy_set *from, const struct toy_set *in, struct toy_hash *one)
{
	size_t n = 0;
	for (size_t k = 0; k < from->cap; k++)
		if ((from->h[k].a || from->h[k].b) && !toy_set_has(in, from->h[k])) {
			*one = from->h[k];
			n++;
		}
	return n;
}

static void walk(const struct job *j, struct toy_set *found, struct result *r)
{
	struct explore_config config = {.strategy = j->strategy, .shuffle = j->shuffle};
	uint64_t runs = 0, most = j->strategy == STRATEGY_EXHAUSTIVE ? 1000000 : 8 * r->traces + 200;
	struct strategy s;
	enum run_verdict verdict;
	toy_init(&toy, &j->p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (!r->cut_short && toy_run(&toy, &s, &verdict)) {
		if (verdict == RUN_CUT)
			r->redundant++;
		else
			r->twice += !toy_set_add(found, toy_weak_hash(&toy, false));
		r->cut_short = ++runs > most;
	}
	r->stats = *explore_stats(memory);
}

/* Returns whether the strategy finds exactly these traces. */
static bool explored(const struct job *j, const struct toy_set *traces, struct result *r)
{
	struct toy_set found = {0};
	struct toy_hash ignored;
	*r = (struct result){.traces = traces->n};
	walk(j, &found, r);
	const struct explore_stats *st = &r->stats;
	r->lost = missing(traces, &found, &r->one_lost);
	r->invented = missing(&found, traces, &ignored);
	bool once = j->strategy != STRATEGY_OPTIMAL || (r->twice == 0 && st->executions == traces->n);
	bool counted = st->distinct_traces == traces->n && st->blocked == r->redundant && st->finished;
	bool quiet = !st->cut && !st->diverged && !st->out_of_memory;
	r->as_expected = !r->lost && !r->invented && !r->cut_short && once && counted && quiet;
	if (j->strategy == STRATEGY_OPTIMAL && j->p.model != MODEL_PSO && !weak_overlaps(&j->p))
		r->as_expected &= st->blocked == 0;
	toy_set_clear(&found);
	return r->as_expected;
}

#define MOST_STATES 1000 /* of the oracle, for one program */

/* Computes the oracle's traces. Returns false when there are too many. */
static bool expected_of(const struct toy_program *p, struct toy_set *out)
{
	struct weak_search s = {.model = p->model, .most = setting("WEAK_STATES", MOST_STATES)};
	weak_traces(p, &s, out);
	return s.complete;
}

/* ---- reports of failures ---- */

static struct job current; /* for the handler of an abort */
static bool busy;

static void say(const struct job *j, const struct result *r)
{
	printf("%s, shuffle %u: lost %zu, invented %zu, twice %lu%s; executions %lu, blocked %lu, traces %zu, distinct %lu\n",
		explore_strategy_name(j->strategy), j->shuffle, r->lost, r->invented, (unsigned long)r->twice,
		r->cut_short ? " (and so on)" : "", (unsigned long)r->stats.executions, (unsigned long)r->stats.blocked, r->traces,
		(unsigned long)r->stats.distinct_traces);
}

static void print_event(const struct event *e)
{
	char name[64];
	uint64_t lo, hi;
	thread_name_format(&toy.names, e->thread, name, sizeof name);
	printf("    %-12s %s", name, event_kind_text(e->kind));
	if (event_bytes(e, &lo, &hi))
		printf(" of bytes %lu to %lu%s", (unsigned long)(memory_address(&toy.memory, (object_id)(lo >> 4) | OBJECT_MEMORY) + (lo & 15) - TOY_BASE),
			(unsigned long)(memory_address(&toy.memory, (object_id)(lo >> 4) | OBJECT_MEMORY) + (lo & 15) - TOY_BASE + hi - lo),
			e->kind == EV_LOAD && (e->flags & EVF_FORWARDED) ? ", forwarded" : e->kind == EV_RMW && e->mode[0] == M_READ ? ", failed" : "");
	else if (e->obj[0])
		printf(" object %u", e->obj[0]);
	printf("\n");
}

/* Shows an execution of a trace that was not found. */
static void show_lost(const struct job *j, const struct toy_hash *h)
{
	struct toy_set all = {0};
	uint64_t runs;
	toy_init(&toy, &j->p);
	toy.memory_only = true;
	toy.until = h;
	if (toy_oracle(&toy, &all, 200000, &runs) && toy_set_has(&all, *h)) {
		printf("  not found:\n");
		for (uint32_t k = 0; k < toy.trace.n; k++)
			print_event(&toy.event[k]);
	}
	toy_set_clear(&all);
}

/* Runs the program in a separate process, as it may abort or hang. Returns 0 if all is as expected. A file holds the smallest known failure. */
static bool fails_apart(const struct toy_program *p, void *ctx)
{
	struct job j = *(struct job *)ctx;
	struct toy_set traces = {0};
	struct result r;
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		alarm(20);
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(0);
		j.p = *p;
		_exit(expected_of(p, &traces) && !explored(&j, &traces, &r));
	}
	return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

static void tell_failure(struct job *j)
{
	struct toy_set traces = {0};
	struct result r;
	printf("---- program %lu of seed %lu (WEAK_FIRST=%lu SEED=%lu) fails with %s, shuffle %u\n", (unsigned long)j->number,
		(unsigned long)seed_used, (unsigned long)j->number, (unsigned long)seed_used,
		explore_strategy_name(j->strategy), j->shuffle);
	toy_print(&j->p);
	weak_shrink(&j->p, fails_apart, j);
	printf("  made smaller:\n");
	toy_print(&j->p);
	fflush(stdout);
	if (fork() == 0) { /* it may abort too */
		signal(SIGABRT, SIG_DFL);
		alarm(20);
		if (expected_of(&j->p, &traces) && !explored(j, &traces, &r)) {
			say(j, &r);
			if (r.lost)
				show_lost(j, &r.one_lost);
		}
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

static void aborted(int signal_number)
{
	signal(SIGABRT, SIG_DFL);
	if (busy)
		tell_failure(&current);
	fflush(stdout);
	abort();
}

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

/* ---- known numbers ---- */

static void count(struct toy_program *p, unsigned strategy, uint32_t shuffle, uint64_t expected)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffle};
	struct strategy s;
	enum run_verdict verdict;
	uint64_t runs = 0;
	toy_init(&toy, p);
	assert_true(explore_create(&config, memory, sizeof memory));
	assert_true(explore_attach(memory, sizeof memory, &s));
	while (runs <= 20 * expected && toy_run(&toy, &s, &verdict))
		runs++;
	const struct explore_stats *st = explore_stats(memory);
	if (st->distinct_traces != expected || (strategy == STRATEGY_OPTIMAL && st->executions != expected))
		print_error("%s: %s, %s, shuffle %u: %lu executions, %lu distinct, expected %lu\n", p->name, memory_model_text(p->model),
			explore_strategy_name(strategy), shuffle, (unsigned long)st->executions, (unsigned long)st->distinct_traces,
			(unsigned long)expected);
	assert_int_equal(st->distinct_traces, expected);
	assert_int_equal(st->finished, 1);
	assert_int_equal(st->cut + st->out_of_memory + st->diverged + st->infeasible, 0);
	if (strategy != STRATEGY_OPTIMAL)
		return;
	assert_int_equal(st->executions, expected);
	if (p->model != MODEL_PSO)
		assert_int_equal(st->blocked, 0);
}

/* The numbers of traces under sequential consistency, TSO and PSO. */
static void expect(struct toy_program *p, const char *name, uint64_t sc, uint64_t tso, uint64_t pso)
{
	const uint64_t expected[] = {sc, tso, pso};
	p->name = name;
	toy_main(p);
	for (unsigned m = MODEL_SC; m <= MODEL_PSO; m++) {
		struct weak_search s = {.model = m, .most = 200000};
		struct toy_set traces = {0};
		p->model = m;
		weak_traces(p, &s, &traces);
		if (s.complete && traces.n != expected[m])
			print_error("%s: %s: the oracle finds %zu traces, expected %lu\n", name, memory_model_text(m), traces.n,
				(unsigned long)expected[m]);
		assert_true(!s.complete || traces.n == expected[m]);
		toy_set_clear(&traces);
		if (getenv("WEAK_ORACLE_ONLY"))
			continue;
		count(p, STRATEGY_OPTIMAL, 0, expected[m]);
		count(p, STRATEGY_OPTIMAL, 1, expected[m]);
		count(p, STRATEGY_OPTIMAL, 99, expected[m]);
		count(p, STRATEGY_SOURCE, 0, expected[m]);
	}
}

#define LD(t, x) toy_add(&p, t, TOY_LOAD, 0, x, 0, 0, 0)
#define ST(t, x, n) toy_add(&p, t, TOY_STORE, x, n, 0, 0, 0)
#define RELEASE(t, x, n) (ST(t, x, n), toy_ordered(&p, t, TOY_RELEASE))
#define DRAINS(t, x, n) (ST(t, x, n), toy_ordered(&p, t, TOY_DRAINS))
#define XCHG(t, x, n) toy_add(&p, t, TOY_XCHG, x, n, 0, 0, 0)
#define FENCE(t) toy_add(&p, t, TOY_FENCE, 0, 0, 0, 0, 0)
#define RFENCE(t) toy_add(&p, t, TOY_RELEASE_FENCE, 0, 0, 0, 0, 0)
#define LOCK(t, m) toy_add(&p, t, TOY_LOCK, m, 0, 0, 0, 0)
#define UNLOCK(t, m) toy_add(&p, t, TOY_UNLOCK, m, 0, 0, 0, 0)
#define BYTES(t, n) toy_sized(&p, t, n)
#define TEST(name, sc, tso, pso, ...) \
	do { \
		struct toy_program p = {0}; \
		__VA_ARGS__; \
		expect(&p, name, sc, tso, pso); \
	} while (0)
enum { X, Y, Z };

static void litmus(void **state)
{
	TEST("SB", 3, 4, 4, ST(1, X, 1); LD(1, Y); ST(2, Y, 1); LD(2, X));
	TEST("LB", 3, 3, 3, LD(1, Y); ST(1, X, 1); LD(2, X); ST(2, Y, 1));
	TEST("MP", 3, 3, 4, ST(1, X, 1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("IRIW", 15, 15, 15, ST(1, X, 1); ST(2, Y, 1); LD(3, X); LD(3, Y); LD(4, Y); LD(4, X));
	TEST("2+2W", 3, 3, 4, ST(1, X, 1); ST(1, Y, 2); ST(2, Y, 1); ST(2, X, 2));
	TEST("R", 3, 4, 4, ST(1, X, 1); ST(1, Y, 1); ST(2, Y, 2); LD(2, X));
	TEST("S", 3, 3, 4, ST(1, X, 2); ST(1, Y, 1); LD(2, Y); ST(2, X, 1));
	TEST("CoRR", 3, 3, 3, ST(1, X, 1); LD(2, X); LD(2, X));
	TEST("CoWR", 3, 3, 3, ST(1, X, 1); LD(1, X); ST(2, X, 2));
	TEST("WRC", 7, 7, 7, ST(1, X, 1); LD(2, X); ST(2, Y, 1); LD(3, Y); LD(3, X));
	TEST("RWC", 7, 8, 8, ST(1, X, 1); LD(2, X); LD(2, Y); ST(3, Y, 1); LD(3, X));
	TEST("SBrfi", 3, 4, 4, ST(1, X, 1); LD(1, X); LD(1, Y); ST(2, Y, 1); LD(2, Y); LD(2, X));
}

/* Instructions that forbid the additional traces. */
static void fences(void **state)
{
	TEST("SB+fences", 3, 3, 3, ST(1, X, 1); FENCE(1); LD(1, Y); ST(2, Y, 1); FENCE(2); LD(2, X));
	TEST("SB+fence", 3, 4, 4, ST(1, X, 1); FENCE(1); LD(1, Y); ST(2, Y, 1); LD(2, X));
	TEST("SB+xchg", 3, 3, 3, XCHG(1, X, 1); LD(1, Y); XCHG(2, Y, 1); LD(2, X));
	TEST("SB+drains", 3, 3, 3, DRAINS(1, X, 1); LD(1, Y); DRAINS(2, Y, 1); LD(2, X));
	TEST("SB+xchg elsewhere", 3, 3, 3, ST(1, X, 1); XCHG(1, Z, 1); LD(1, Y); ST(2, Y, 1); XCHG(2, 5, 1); LD(2, X));
	TEST("SB+lock", 3, 3, 3, ST(1, X, 1); LOCK(1, 0); UNLOCK(1, 0); LD(1, Y); ST(2, Y, 1); LOCK(2, 1); UNLOCK(2, 1); LD(2, X));
	TEST("SB+release fences", 3, 4, 4, ST(1, X, 1); RFENCE(1); LD(1, Y); ST(2, Y, 1); RFENCE(2); LD(2, X));
	TEST("MP+release", 3, 3, 3, ST(1, X, 1); RELEASE(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("MP+release first", 3, 3, 4, RELEASE(1, X, 1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("MP+release fence", 3, 3, 3, ST(1, X, 1); RFENCE(1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("MP+fence", 3, 3, 3, ST(1, X, 1); FENCE(1); ST(1, Y, 1); LD(2, Y); LD(2, X));
	TEST("2+2W+releases", 3, 3, 3, ST(1, X, 1); RELEASE(1, Y, 2); ST(2, Y, 1); RELEASE(2, X, 2));
	TEST("2+2W+release fences", 3, 3, 3, ST(1, X, 1); RFENCE(1); ST(1, Y, 2); ST(2, Y, 1); RFENCE(2); ST(2, X, 2));
	TEST("S+release", 3, 3, 3, ST(1, X, 2); RELEASE(1, Y, 1); LD(2, Y); ST(2, X, 1));
	TEST("R+fence", 3, 3, 4, ST(1, X, 1); ST(1, Y, 1); ST(2, Y, 2); FENCE(2); LD(2, X));
}

/* Overlapping accesses: X consists of bytes 0 to 7. */
static void mixed_sizes(void **state)
{
	/* Some bytes come from the own buffer, the others from memory: a store to one half, a load of the whole. */
	TEST("SB halves", 3, 4, 4, ST(1, 0, 1); BYTES(1, 4); LD(1, 4); BYTES(1, 4); ST(2, 4, 1); BYTES(2, 4); LD(2, 0); BYTES(2, 4));
	TEST("SB seen whole", 3, 4, 4, ST(1, 0, 1); BYTES(1, 4); LD(1, 0); BYTES(1, 8); ST(2, 4, 1); BYTES(2, 4); LD(2, 0); BYTES(2, 8));
	/* Under PSO the halves of a variable may overtake each other. A store that overlaps both may not. */
	TEST("MP halves", 3, 3, 4, ST(1, 0, 1); BYTES(1, 4); ST(1, 4, 1); BYTES(1, 4); LD(2, 4); BYTES(2, 4); LD(2, 0); BYTES(2, 4));
	TEST("MP over", 3, 3, 3, ST(1, 0, 1); BYTES(1, 4); ST(1, 3, 2); BYTES(1, 4); LD(2, 6); BYTES(2, 1); LD(2, 0); BYTES(2, 1));
}

static void swept(void **state)
{
	static const uint64_t factorial[] = {1, 1, 2, 6, 24, 120, 720}, fib[][3] = {{3, 3, 3}, {19, 20, 20}, {141, 175, 175}, {1107, 1764, 1764}};
	for (unsigned n = 2; n <= 6; n++)
		TEST("writers", factorial[n], factorial[n], factorial[n], for (unsigned t = 1; t <= n; t++) ST(t, X, (int)t));
	for (unsigned n = 2; n <= 8; n++)
		TEST("readers", UINT64_C(1) << n, UINT64_C(1) << n, UINT64_C(1) << n, ST(1, X, 1); for (unsigned t = 2; t <= n + 1; t++) LD(t, X));
	for (unsigned n = 1; n <= 4; n++) {
		struct toy_program p = {0};
		ST(0, X, 1);
		ST(0, Y, 1);
		for (unsigned k = 0; k < n; k++)
			for (unsigned t = 1; t <= 2; t++) {
				toy_add(&p, t, TOY_LOAD, 0, t == 1 ? Y : X, 0, 0, 0);
				toy_add(&p, t, TOY_LOAD, 1, t == 1 ? X : Y, 0, 0, 0);
				toy_add(&p, t, TOY_SUM, 0, 1, 0, 0, 0);
				toy_add(&p, t, TOY_STORE, t == 1 ? X : Y, 0, 1, 0, 0);
			}
		expect(&p, "fib", fib[n - 1][0], fib[n - 1][1], fib[n - 1][2]);
	}
}

static void rinc_one(unsigned n, unsigned rounds, uint64_t expected)
{
	struct toy_program p = {0};
	for (unsigned t = 1; t <= n; t++)
		for (unsigned r = 0; r < rounds; r++) {
			LD(t, X);
			toy_add(&p, t, TOY_STORE, X, 1, 1, 0, 0);
		}
	expect(&p, "rinc", expected, expected, expected);
}

/* Programs that store buffers do not affect: they have the same number of traces with and without. */
static void robust(void **state)
{
	rinc_one(2, 1, 4);
	rinc_one(2, 2, 34);
	rinc_one(2, 3, 328);
	rinc_one(3, 1, 36);
	rinc_one(4, 1, 576);
	for (unsigned n = 2; n <= 3; n++) {
		const uint64_t expected = n == 2 ? 6 : 90;
		struct toy_program p = {0};
		for (unsigned t = 1; t <= n; t++)
			for (unsigned r = 0; r < 2; r++) {
				LOCK(t, 0);
				LD(t, X);
				toy_add(&p, t, TOY_STORE, X, 1, 1, 0, 0);
				UNLOCK(t, 0);
			}
		expect(&p, "mutex", expected, expected, expected);
	}
}

enum { FLAG, TURN = 2, SHARED };

static void skip_unless(struct toy_program *p, unsigned t, int r, int n, int end)
{
	toy_add(p, t, TOY_SKIP_EQ, r, n, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, end, 0, 0, 0, 0);
}

/* Thread t (1 or 2) tries once to enter a critical section. */
static void peterson_thread(struct toy_program *p, unsigned t, bool fenced)
{
	const int mine = FLAG + (int)t - 1, other = FLAG + 2 - (int)t, turn = t == 1, end = 60;
	toy_add(p, t, TOY_STORE, mine, 1, 0, 0, 0);
	toy_add(p, t, TOY_STORE, TURN, turn, 0, 0, 0);
	if (fenced)
		toy_add(p, t, TOY_FENCE, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, other, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, 0, 1, 3, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, TURN, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_NE, 0, turn, 1, 0, 0);
	toy_add(p, t, TOY_JUMP, end, 0, 0, 0, 0);
	toy_add(p, t, TOY_STORE, SHARED, (int)t - 1, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, SHARED, 0, 0, 0);
	toy_add(p, t, TOY_STORE, mine, 0, 0, 0, 0);
}

static void dekker_thread(struct toy_program *p, unsigned t, bool fenced)
{
	const int mine = FLAG + (int)t - 1, other = FLAG + 2 - (int)t, turn = (int)t - 1, end = 60;
	toy_add(p, t, TOY_STORE, mine, 1, 0, 0, 0);
	if (fenced)
		toy_add(p, t, TOY_FENCE, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, other, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, 0, 0, fenced ? 11 : 10, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, TURN, 0, 0, 0);
	toy_add(p, t, TOY_SKIP_EQ, 0, turn, fenced ? 6 : 5, 0, 0);
	toy_add(p, t, TOY_STORE, mine, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, TURN, 0, 0, 0);
	skip_unless(p, t, 0, turn, end);
	toy_add(p, t, TOY_STORE, mine, 1, 0, 0, 0);
	if (fenced)
		toy_add(p, t, TOY_FENCE, 0, 0, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, other, 0, 0, 0);
	skip_unless(p, t, 0, 0, end);
	toy_add(p, t, TOY_STORE, SHARED, (int)t - 1, 0, 0, 0);
	toy_add(p, t, TOY_LOAD, 0, SHARED, 0, 0, 0);
	toy_add(p, t, TOY_STORE, TURN, 1 - turn, 0, 0, 0);
	toy_add(p, t, TOY_STORE, mine, 0, 0, 0, 0);
}

static void mutual_exclusion(void **state)
{
	TEST("peterson", 10, 30, 42, peterson_thread(&p, 1, false); peterson_thread(&p, 2, false));
	TEST("peterson+fences", 10, 10, 32, peterson_thread(&p, 1, true); peterson_thread(&p, 2, true));
	TEST("dekker", 18, 26, 51, dekker_thread(&p, 1, false); dekker_thread(&p, 2, false));
	TEST("dekker+fences", 18, 18, 43, dekker_thread(&p, 1, true); dekker_thread(&p, 2, true));
}

/* ---- programs that failed once ---- */

static void again(struct toy_program *p, unsigned strategy, uint32_t shuffle)
{
	toy_main(p);
	for (unsigned m = MODEL_SC; m <= MODEL_PSO; m++) {
		struct job j = {.p = *p, .strategy = strategy, .shuffle = shuffle};
		struct toy_set traces = {0};
		struct result r;
		j.p.model = m;
		assert_true(expected_of(&j.p, &traces));
		if (!explored(&j, &traces, &r))
			say(&j, &r);
		assert_true(r.as_expected);
		toy_set_clear(&traces);
	}
}

#define AGAIN(strategy, shuffle, ...) \
	do { \
		struct toy_program p = {0}; \
		__VA_ARGS__; \
		again(&p, strategy, shuffle); \
	} while (0)

static void failed_once(void **state)
{
	/* A load reads one byte from its own buffer; the store that overwrites this byte comes after the load. */
	AGAIN(STRATEGY_OPTIMAL, 2749, ST(1, 6, 1); BYTES(1, 4); ST(1, Y, 2); LD(1, 7); BYTES(1, 2); ST(1, X, 1); LD(2, Y); ST(2, X, 2); ST(3, Y, 1));
	/* A load that reads its thread's own buffered store ignores earlier writes, but only on the bytes of that store. */
	AGAIN(STRATEGY_EXHAUSTIVE, 0, ST(1, 7, 2); BYTES(1, 1); LD(1, X); ST(2, 7, 2); BYTES(2, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(oracle_is_exact), cmocka_unit_test(world_is_exact), cmocka_unit_test(litmus), cmocka_unit_test(fences),
		cmocka_unit_test(mixed_sizes), cmocka_unit_test(swept), cmocka_unit_test(robust), cmocka_unit_test(mutual_exclusion),
		cmocka_unit_test(failed_once), cmocka_unit_test(random_programs),
	};
	setvbuf(stdout, NULL, _IOLBF, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
