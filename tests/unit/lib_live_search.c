/* See lib_live_search.h. */
#include "tests/unit/lib_live_search.h"

#include "explore/shared/common.h"
#include "explore/shared/work_sharing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define MOST_DECISIONS 256
#define MOST_TURNS 100000

/* ---- every order of the threads, with every store ---- */

struct decision_made {
	uint16_t chosen, of;
};

static struct {
	struct decision_made made[MOST_DECISIONS];
	unsigned depth, decided; /* decisions known, and used in this execution */
} every;

/* Returns the next decision of n. */
static int decide(void *unused, const struct sched_view *view)
{
	assert_true(every.decided < MOST_DECISIONS);
	struct decision_made *d = &every.made[every.decided++];
	if (every.decided > every.depth) {
		*d = (struct decision_made){.of = (uint16_t)view->n};
		every.depth = every.decided;
	}
	assert_int_equal(d->of, view->n);
	return d->chosen;
}

/* Goes to the next sequence of decisions. Returns false after the last one. */
static bool next_decisions(void)
{
	while (every.depth && every.made[every.depth - 1].chosen + 1u == every.made[every.depth - 1].of)
		every.depth--;
	if (!every.depth)
		return false;
	every.made[every.depth - 1].chosen++;
	return true;
}

bool live_all_graphs(const struct rc_program *p, uint32_t without, unsigned most, struct rc_keys *out)
{
	static const struct live_driver driver = {.pick = decide, .pick_store = decide};
	struct rc_keys all = {0};
	unsigned n = 0;
	every.depth = 0;
	do {
		struct rc_key key;
		const struct trace *trace;
		every.decided = 0;
		live_execute(p, without | LATEST_WORD, false, &driver, &key, &trace);
		rc_add(&all, &key);
	} while (++n < most && next_decisions());
	rc_sort(&all);
	for (size_t i = 0; i < all.n; i++)
		if (!i || memcmp(&all.key[i - 1], &all.key[i], sizeof *all.key) != 0)
			rc_add(out, &all.key[i]);
	rc_free(&all);
	return n < most;
}

/* ---- the strategy ---- */

static _Alignas(16) char search_memory[16 << 20];
static struct strategy searching;

static uint32_t sees_nothing(const void *world, thread_id t, thread_id of)
{
	return 0;
}

/* Says that calls order nothing. */
static void order_nothing(void *self, const struct sched_view *view)
{
	searching.ops->ordered(self, &(struct sched_view){.world = view->world, .seen = sees_nothing});
}

/* Ends the execution as if no call waited. */
static void end_without_waiters(const struct trace *trace, enum run_verdict verdict)
{
	struct trace blind = *trace;
	uint8_t alts[MAX_IDS];
	memset(alts, 1, sizeof alts);
	blind.alts = alts;
	searching.ops->end(searching.self, &blind, verdict);
}

bool live_searched_graphs(const struct rc_program *p, uint32_t shuffle, unsigned flaws, struct rc_keys *out)
{
	struct explore_config config = {.strategy = STRATEGY_GRAPHS, .shuffle = shuffle};
	struct strategy *s = &searching;
	assert_true(explore_create(&config, search_memory, sizeof search_memory));
	assert_true(explore_attach(search_memory, sizeof search_memory, s));
	const struct explore_stats *stats = explore_stats(search_memory);
	struct live_driver driver = {.pick = s->ops->pick, .pick_store = s->ops->pick_store, .self = s->self};
	driver.observe = s->ops->observe;
	driver.ordered = flaws & LIVE_NO_ORDER ? order_nothing : s->ops->ordered;
	while (s->ops->begin(s->self)) {
		struct rc_key key;
		const struct trace *trace;
		bool whole = live_execute(p, 0, true, &driver, &key, &trace);
		if (whole)
			rc_add(out, &key);
		if (flaws & LIVE_NO_WAITERS)
			end_without_waiters(trace, whole ? RUN_OK : RUN_CUT);
		else
			s->ops->end(s->self, trace, whole ? RUN_OK : RUN_CUT);
		if (stats->executions < out->n) /* the search began again */
			rc_free(out);
	}
	rc_sort(out);
	return stats->finished && !stats->graphs_left && !stats->diverged && !stats->cut && stats->executions == out->n;
}

/* ---- several workers ---- */

#define WORKERS 3
#define SEARCH_BYTES (16 << 20)
#define COMMON_BYTES (8 << 20)

static _Alignas(16) char common_memory[COMMON_BYTES], worker_memory[WORKERS][SEARCH_BYTES];
static unsigned busy_workers; /* that have executed something which counts */

struct worker {
	struct strategy strategy;
	struct rc_keys found; /* since the search began again, as far as it knows */
};

/* How often the search has begun again. */
static uint32_t common_round(void)
{
	return ((const struct common *)common_memory)->graphs.round;
}

static void join(struct worker *w, unsigned k, uint32_t shuffle)
{
	struct explore_config config = {.strategy = STRATEGY_GRAPHS, .shuffle = shuffle};
	assert_true(explore_create(&config, worker_memory[k], SEARCH_BYTES));
	assert_true(explore_join(worker_memory[k], common_memory, COMMON_BYTES, k == 0));
	assert_true(explore_attach(worker_memory[k], SEARCH_BYTES, &w->strategy));
}

/* Forgets what the worker has given up. */
static void forget(struct worker *w, unsigned k)
{
	if (explore_stats(worker_memory[k])->executions < w->found.n)
		rc_free(&w->found);
}

static void move_keys(struct rc_keys *from, struct rc_keys *to)
{
	for (size_t i = 0; i < from->n; i++)
		rc_add(to, &from->key[i]);
	rc_free(from);
}

/* One execution of a worker, if it has work. */
static void execute_one(const struct rc_program *p, struct worker *w, unsigned k)
{
	const struct strategy_ops *ops = w->strategy.ops;
	const struct trace *trace;
	struct rc_key key;
	bool began = ops->begin(w->strategy.self);
	forget(w, k);
	if (!began)
		return;
	struct live_driver driver = {.pick = ops->pick, .pick_store = ops->pick_store, .self = w->strategy.self};
	driver.observe = ops->observe;
	driver.ordered = ops->ordered;
	bool whole = live_execute(p, 0, true, &driver, &key, &trace);
	if (whole)
		rc_add(&w->found, &key);
	ops->end(w->strategy.self, trace, whole ? RUN_OK : RUN_CUT);
	forget(w, k);
}

/* Adds what the worker has found to *out. Returns whether nothing went wrong. */
static bool collect(struct worker *w, unsigned k, struct rc_keys *out)
{
	const struct explore_stats *st = explore_stats(worker_memory[k]);
	bool good = !st->graphs_left && !st->diverged && !st->cut && st->executions == w->found.n;
	busy_workers += w->found.n > 0;
	move_keys(&w->found, out);
	return good;
}

/* A worker retires, and another one takes its place. Returns false if something went wrong. */
static bool replace(struct worker *w, unsigned k, uint32_t shuffle, struct rc_keys *gone, uint32_t *round)
{
	assert_true(explore_hand_back(worker_memory[k]));
	forget(w, k);
	if (common_round() != *round) /* what others have left before counts no more */
		rc_free(gone);
	*round = common_round();
	bool good = collect(w, k, gone);
	join(w, k, shuffle);
	return good;
}

bool live_was_shared(void)
{
	return busy_workers > 1;
}

bool live_shared_graphs(const struct rc_program *p, uint32_t shuffle, uint64_t *draw, struct rc_keys *out)
{
	struct worker w[WORKERS] = {{.found = {0}}};
	struct rc_keys gone = {0};
	uint32_t round = 0;
	bool good = true;
	busy_workers = 0;
	memset(common_memory, 0, sizeof common_memory);
	assert_true(explore_common_create(common_memory, COMMON_BYTES));
	for (unsigned k = 0; k < WORKERS; k++)
		join(&w[k], k, shuffle);
	for (unsigned turns = 0; !explore_common_over(common_memory); turns++) {
		*draw = *draw * UINT64_C(6364136223846793005) + 1442695040888963407;
		unsigned k = (unsigned)(*draw >> 33) % WORKERS;
		if (k && (*draw >> 40) % 8 == 0)
			good &= replace(&w[k], k, shuffle, &gone, &round);
		else
			for (unsigned n = (*draw >> 50) % 16 ? 1 : 64; n && !explore_common_over(common_memory); n--)
				execute_one(p, &w[k], k);
		assert_true(turns < MOST_TURNS);
	}
	if (common_round() != round)
		rc_free(&gone);
	move_keys(&gone, out);
	for (unsigned k = 0; k < WORKERS; k++) {
		const struct explore_stats *st = explore_stats(worker_memory[k]);
		uint64_t executions = st->executions;
		execute_one(p, &w[k], k);
		good &= st->finished && st->executions == executions; /* what it gave up counts no more */
		good &= collect(&w[k], k, out);
	}
	rc_sort(out);
	return good && !explore_common_changing(common_memory);
}

/* ---- comparison ---- */

void live_add(struct live_totals *sum, const struct rc_program *p, const struct rc_keys *want,
	const struct rc_keys *found, bool whole, const char *what)
{
	size_t repeated = rc_repeated(found), lost = rc_missing(want, found), invented = rc_missing(found, want);
	bool wrong = !whole || repeated || lost || invented;
	sum->programs++;
	sum->graphs += found->n;
	sum->repeated += repeated;
	sum->lost += lost;
	sum->invented += invented;
	sum->wrong += wrong;
	if (wrong && what) {
		rc_print(p);
		printf("\t%s: whole %d, %zu graphs of %zu, %zu repeated, %zu lost, %zu invented\n", what, whole,
			found->n, want->n, repeated, lost, invented);
	}
}

void live_print(const char *what, const struct live_totals *t)
{
	print_message("%s: %u programs (%u too big, %u shared), %zu graphs, ", what, t->programs, t->too_big, t->shared,
		t->graphs);
	print_message("%zu repeated, %zu lost, %zu invented, %u wrong\n", t->repeated, t->lost, t->invented, t->wrong);
}
