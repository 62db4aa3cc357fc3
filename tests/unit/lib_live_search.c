/* See lib_live_search.h. */
#include "tests/unit/lib_live_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define MOST_DECISIONS 256

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
		live_execute(p, without, false, &driver, &key, &trace);
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
	print_message("%s: %u programs (%u too big), %zu graphs, %zu repeated, %zu lost, %zu invented, %u wrong\n",
		what, t->programs, t->too_big, t->graphs, t->repeated, t->lost, t->invented, t->wrong);
}
