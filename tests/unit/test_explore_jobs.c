/*
 * Several workers on one search find the same set of traces as one worker alone, and none twice.
 *
 * `taking turns`: the workers of a random program advance in a random order, one call (begin, execution, end) at a time, so that a failure can
 * be repeated. `leaving`: now and then a worker leaves and another joins. `at once`: the same with real threads, to test concurrency inside the
 * calls. With sections as steps, all workers use one table, and the search begins again when it grows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/shared/common.h"
#include "tests/unit/lib_seed.h"
#include "tests/unit/lib_toy_random.h"

#define MOST_INTERLEAVINGS 500
#define WORKERS 8
#define COMMON (4 << 20)
#define SEARCH (4 << 20)

static uint64_t seed = 20261121; /* or SEED of the environment */
static _Alignas(16) char memory[COMMON + WORKERS * SEARCH];

enum stage { STAGE_IDLE, STAGE_BEGUN, STAGE_RAN, STAGE_OVER };

struct worker {
	struct toy toy;
	struct strategy strategy;
	enum stage stage;
	enum run_verdict verdict;
	bool waiting;
	unsigned executions; /* executions that counted */
	struct toy_hash *found;
	size_t n, cap;
};
static struct worker worker[WORKERS], alone;

static struct totals {
	uint64_t programs, executions, blocked, shared, infeasible, left;
} sum;

static bool leaving;

static struct section_table *sections; /* NULL: sections are not steps */
static struct section_table table;

static bool news(void)
{
	return sections && sections_news(sections);
}
static struct explore_stats gone; /* of the workers that have left */

static char *search_of(unsigned k)
{
	return memory + COMMON + (size_t)k * SEARCH;
}

/* All workers use the same ids of threads, agents and cells. */
static void set_up(struct worker *w, const struct toy_program *p, const struct toy *model)
{
	toy_init(&w->toy, p);
	w->toy.names = model->names;
	w->toy.memory = model->memory;
	w->toy.await = model->await;
	w->toy.sections = sections;
	w->stage = STAGE_IDLE;
	w->waiting = false;
	w->n = 0;
	w->executions = 0;
}

static struct explore_config config;

static void lay_out(unsigned workers, const struct toy_program *p, uint32_t shuffle)
{
	config = (struct explore_config){.strategy = STRATEGY_OPTIMAL, .shuffle = shuffle};
	config.regions = sections && !table.plain ? REGION_SECTIONS : 0;
	gone = (struct explore_stats){0};
	assert_true(explore_common_create(memory, COMMON));
	for (unsigned k = 0; k < workers; k++) {
		assert_true(explore_create(&config, search_of(k), SEARCH));
		assert_true(explore_join(search_of(k), memory, COMMON, k == 0));
		assert_true(explore_attach(search_of(k), SEARCH, &worker[k].strategy));
		set_up(&worker[k], p, &alone.toy);
	}
}

static void note(struct worker *w)
{
	if (w->verdict == RUN_CUT || w->verdict == RUN_ASSUMED)
		return;
	w->executions++;
	if (w->n == w->cap) {
		w->cap = w->cap ? 2 * w->cap : 64;
		w->found = realloc(w->found, w->cap * sizeof *w->found);
		assert_non_null(w->found);
	}
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&mutex); /* the oracle's memory is static */
	w->found[w->n++] = toy_hash_of(&w->toy);
	pthread_mutex_unlock(&mutex);
}

static bool slow; /* executions yield, so that other workers run in between */

static uint64_t breaks; /* if not 0: executions are broken off now and then, as this random state decides; the workers run one after the other */
static bool broken_off;

/* True in one of 16 states, half of them before the pick and half after it. */
static bool breaks_off(uint64_t when)
{
	breaks = breaks * UINT64_C(6364136223846793005) + 1442695040888963407;
	broken_off = breaks >> 59 == when;
	return broken_off;
}

static int pick(void *ctx, const struct sched_view *view)
{
	struct strategy *s = ctx;
	if (slow && view->trace->n % 4 == 3)
		sched_yield();
	if (breaks && breaks_off(0))
		return PICK_STOP;
	int k = s->ops->pick(s->self, view);
	return breaks && k >= 0 && breaks_off(1) ? PICK_STOP : k;
}

static void observe(void *ctx, const struct event *e)
{
	struct strategy *s = ctx;
	s->ops->observe(s->self, e);
}

static void begin(struct worker *w)
{
	w->waiting = false;
	if (w->strategy.ops->begin(w->strategy.self))
		w->stage = STAGE_BEGUN;
	else if (explore_waiting(w->strategy.self))
		w->waiting = true;
	else
		w->stage = STAGE_OVER;
}

/* The combined estimate of all workers. */
static struct explore_stats joined(unsigned workers)
{
	struct explore_stats all = {.finished = 1};
	const struct explore_stats *each[WORKERS];
	for (unsigned k = 0; k < workers; k++) {
		each[k] = explore_stats(search_of(k));
		all.executions += each[k]->executions;
		all.finished &= each[k]->finished;
	}
	explore_join_estimates(&all, each, workers);
	return all;
}

static unsigned watched; /* number of workers whose estimate is read after each execution */
static double guess[101]; /* the estimate as a fraction of the truth, by percentage of executions done */
static uint64_t truth;

static void watch(void)
{
	struct explore_stats all = joined(watched);
	assert_true(all.executions <= all.estimate_low && all.estimate_low <= all.estimate);
	assert_true(all.estimate <= all.estimate_high);
	guess[all.executions * 100 / truth] = (double)all.estimate / (double)truth;
}

static void end(struct worker *w)
{
	w->strategy.ops->end(w->strategy.self, &w->toy.trace, w->verdict);
	note(w);
	if (watched)
		watch();
	w->stage = STAGE_IDLE;
}

/* The worker leaves, and a new one without work takes its place. */
static void replace(unsigned k)
{
	const struct explore_stats *st = explore_stats(search_of(k));
	sum.left += st->executions && !worker[k].waiting;
	gone.executions += st->executions;
	gone.blocked += st->blocked;
	gone.infeasible += st->infeasible;
	assert_true(explore_hand_back(search_of(k)));
	memset(search_of(k), 0, SEARCH);
	assert_true(explore_create(&config, search_of(k), SEARCH));
	assert_true(explore_join(search_of(k), memory, COMMON, false));
	worker[k].waiting = false;
}

static void advance(struct worker *w)
{
	switch (w->stage) {
	case STAGE_IDLE:
		begin(w);
		break;
	case STAGE_BEGUN:
		w->verdict = toy_execute(&w->toy, pick, observe, &w->strategy);
		if (broken_off)
			assert_true(w->strategy.ops->again(w->strategy.self));
		else
			w->stage = STAGE_RAN;
		broken_off = false;
		break;
	case STAGE_RAN:
		end(w);
		break;
	case STAGE_OVER:
		break;
	}
}

static uint64_t most_open; /* the most tasks that no worker had */

/* Returns false when all workers wait for each other. */
static bool take_turns(unsigned workers, uint64_t *rng)
{
	uint32_t *door = explore_wakeup(memory), seen[WORKERS];
	for (;;) {
		unsigned over = 0, stuck = 0;
		for (unsigned k = 0; k < workers; k++) {
			over += worker[k].stage == STAGE_OVER;
			stuck += worker[k].waiting && seen[k] == *door;
		}
		if (over == workers || news())
			return true;
		if (over + stuck == workers)
			return false;
		*rng = *rng * UINT64_C(6364136223846793005) + 1442695040888963407;
		struct worker *w = &worker[(*rng >> 33) % workers];
		if (w->waiting && seen[w - worker] == *door)
			continue;
		seen[w - worker] = *door;
		uint64_t open = explore_common_open(memory, COMMON);
		if (leaving && w != worker && w->stage == STAGE_IDLE && (*rng >> 20) % 4 == 0)
			replace((unsigned)(w - worker));
		advance(w);
		/* A worker that waits found no task, and an execution takes none. */
		assert_true(!w->waiting || !explore_common_open(memory, COMMON));
		most_open = open > most_open ? open : most_open;
	}
}

static void *work(void *ctx)
{
	struct worker *w = ctx;
	while (w->stage != STAGE_OVER && !news()) {
		advance(w);
		if (w->waiting)
			sched_yield();
	}
	return NULL;
}

static void go_to_sleep(const uint32_t *word, uint32_t value)
{
	if (__atomic_load_n(word, __ATOMIC_RELAXED) == value)
		sched_yield();
}

static void wake_up(uint32_t *word)
{
}

static const struct explore_host host = {.wait = go_to_sleep, .wake = wake_up};

static void at_once(unsigned workers)
{
	pthread_t thread[WORKERS];
	slow = true;
	for (unsigned k = 0; k < workers; k++) {
		explore_use_host(search_of(k), &host);
		assert_int_equal(pthread_create(&thread[k], NULL, work, &worker[k]), 0);
	}
	for (unsigned k = 0; k < workers; k++)
		assert_int_equal(pthread_join(thread[k], NULL), 0);
	slow = false;
}

static bool compare(unsigned workers, const struct toy_program *p, const struct toy_set *traces, const char *how)
{
	struct toy_set found = {0};
	uint64_t twice = 0, executions = gone.executions, blocked = gone.blocked, lost = 0, busy = 0, finished = 0;
	sum.infeasible += gone.infeasible;
	for (unsigned k = 0; k < workers; k++) {
		const struct explore_stats *st = explore_stats(search_of(k));
		executions += st->executions;
		blocked += st->blocked;
		sum.infeasible += st->infeasible;
		busy += worker[k].executions > 0;
		finished += st->finished;
		for (size_t i = 0; i < worker[k].n; i++)
			twice += !toy_set_add(&found, worker[k].found[i]);
	}
	for (size_t k = 0; k < traces->cap; k++)
		lost += (traces->h[k].a || traces->h[k].b) && !toy_set_has(&found, traces->h[k]);
	sum.executions += executions;
	sum.blocked += blocked;
	sum.shared += busy > 1;
	bool right = !twice && !lost && executions == traces->n && found.n == traces->n && finished == workers &&
		     explore_common_over(memory) && !explore_common_changing(memory);
	if (!right) {
		print_error("%s, %u workers: twice %lu, lost %lu, executions %lu, traces %zu, found %zu, finished %lu\n", how,
			workers, (unsigned long)twice, (unsigned long)lost, (unsigned long)executions, traces->n, found.n,
			(unsigned long)finished);
		toy_print(p);
	}
	toy_set_clear(&found);
	return right;
}

/* Searches the program from the beginning until the table of sections, if any, stays the same. */
static void search(unsigned workers, const struct toy_program *p, uint32_t shuffle, bool threads, uint64_t *rng)
{
	memset(&table, 0, sizeof table);
	bool may_be_plain = shuffle;
	do {
		sections_apply(&table);
		sections_start(&table, may_be_plain);
		may_be_plain = true;
		lay_out(workers, p, shuffle);
		if (threads)
			at_once(workers);
		else
			assert_true(take_turns(workers, rng));
	} while (news());
}

/* Replaces the set of traces by that of classes, if sections are steps. Which ones are steps may depend on the order of
   executions, so the table is that of the finished search. */
static void find_classes(const struct toy_program *p, struct toy_set *traces)
{
	uint64_t runs;
	if (!sections)
		return;
	toy_set_clear(traces);
	toy_init(&alone.toy, p);
	alone.toy.classes = &table;
	assert_true(toy_oracle(&alone.toy, traces, UINT64_MAX, &runs));
}

/* Tests `n` programs with these features that have more than a few traces. */
static void programs(unsigned model, unsigned features, unsigned n, bool threads, unsigned percent_redundant)
{
	sections = features & TOY_F_SECTIONS ? &table : NULL;
	uint64_t rng = seed ^ features;
	sum = (struct totals){0};
	n = toy_random_part(n);
	for (uint64_t i = 0; sum.programs < n; i++) {
		struct toy_program p;
		struct toy_set traces = {0};
		uint64_t runs;
		toy_random(&p, features, seed, i);
		p.model = model;
		toy_init(&alone.toy, &p);
		toy_forget(&alone.toy);
		bool small = toy_oracle(&alone.toy, &traces, MOST_INTERLEAVINGS, &runs);
		if (small && traces.n > 3) {
			unsigned workers = getenv("JOBS_WORKERS") ? (unsigned)atoi(getenv("JOBS_WORKERS")) : 2 + (unsigned)(i % (WORKERS - 1));
			search(workers, &p, (uint32_t)(i % 3), threads, &rng);
			find_classes(&p, &traces);
			sum.programs += traces.n > 3;
			assert_true(compare(workers, &p, &traces, threads ? "at once" : "taking turns"));
		}
		toy_set_clear(&traces);
	}
	print_message("%s%s, features %#x: %lu programs, %lu by more than one worker, %lu executions, %lu redundant, %lu infeasible\n",
		memory_model_text(model), threads ? ", at once" : "", features, (unsigned long)sum.programs,
		(unsigned long)sum.shared, (unsigned long)sum.executions, (unsigned long)sum.blocked, (unsigned long)sum.infeasible);
	assert_true(sum.shared * 2 > sum.programs || sum.programs < 10 || threads);
	assert_true(sum.blocked * 100 <= sum.executions * percent_redundant);
}

static const unsigned kinds[] = {
	TOY_F_MEM, TOY_F_MEM | TOY_F_RMW, TOY_F_LOCK, TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM, TOY_F_SEM,
	TOY_F_SEM | TOY_F_LOCK | TOY_F_TRY | TOY_F_MEM | TOY_F_RMW, TOY_F_COND | TOY_F_LOCK, TOY_F_COND | TOY_F_TIMED | TOY_F_MEM,
	TOY_F_COND | TOY_F_SPURIOUS, TOY_F_RW | TOY_F_MEM, TOY_F_RW_ALL, TOY_F_RW | TOY_F_LOCK | TOY_F_SEM, TOY_F_ONCE | TOY_F_MEM | TOY_F_LOCK,
	TOY_F_BARRIER | TOY_F_LOCK, TOY_F_BARRIER | TOY_F_MEM | TOY_F_SEM, TOY_F_DIE | TOY_F_MEM, TOY_F_NOJOIN | TOY_F_MEM | TOY_F_LOCK,
	TOY_F_LATE_EXIT | TOY_F_MEM | TOY_F_LOCK, TOY_F_FUTEX | TOY_F_LOCK, TOY_F_CHOOSE | TOY_F_MEM, TOY_F_CHOOSE | TOY_F_ASSUME | TOY_F_LOCK | TOY_F_MEM,
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void taking_turns(void **state)
{
	for (unsigned k = 0; k < KINDS; k++)
		programs(MODEL_SC, kinds[k], 50, false, 0);
	programs(MODEL_SC, TOY_F_SPIN | TOY_F_MEM | TOY_F_RMW, 60, false, 0);
	programs(MODEL_SC, TOY_F_FUTEX | TOY_F_MEM | TOY_F_RMW, 60, false, 1);
	programs(MODEL_SC, TOY_F_MEM | TOY_F_RMW | TOY_F_BYTES, 60, false, 1);
	programs(MODEL_SC, TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS, 60, false, 1);
}

/* Processes are killed by others. Their executions restart, and nothing else changes. */
static void broken_off_and_restarted(void **state)
{
	breaks = 1;
	for (unsigned k = 0; k < KINDS; k++)
		programs(MODEL_SC, kinds[k], 30, false, 0);
	programs(MODEL_TSO, TOY_F_MEM | TOY_F_LOCK, 30, false, 1);
	breaks = 0;
}

static void taking_turns_with_store_buffers(void **state)
{
	static const unsigned few[] = {0, TOY_F_LOCK, TOY_F_RMW, TOY_F_SEM | TOY_F_LOCK, TOY_F_DIE, TOY_F_NOJOIN};
	for (unsigned k = 0; k < sizeof few / sizeof *few; k++) {
		programs(MODEL_TSO, few[k] | TOY_F_MEM, 30, false, 0);
		programs(MODEL_PSO, few[k] | TOY_F_MEM, 30, false, 1);
	}
}

static void at_once_with_threads(void **state)
{
	for (unsigned k = 0; k < KINDS; k++)
		programs(MODEL_SC, kinds[k], 20, true, 0);
	programs(MODEL_TSO, TOY_F_MEM | TOY_F_LOCK, 40, true, 0);
}

static void leaving_and_coming(void **state)
{
	static const unsigned weak[] = {TOY_F_MEM, TOY_F_MEM | TOY_F_LOCK, TOY_F_MEM | TOY_F_DIE};
	uint64_t left = 0;
	leaving = true;
	for (unsigned k = 0; k < KINDS; k++) {
		programs(MODEL_SC, kinds[k], 20, false, 0);
		left += sum.left;
	}
	assert_true(left > 0);
	programs(MODEL_SC, TOY_F_SPIN | TOY_F_MEM | TOY_F_RMW, 20, false, 0);
	programs(MODEL_SC, TOY_F_FUTEX | TOY_F_MEM | TOY_F_RMW, 20, false, 1);
	for (unsigned k = 0; k < sizeof weak / sizeof *weak; k++) {
		programs(MODEL_TSO, weak[k], 15, false, 0);
		programs(MODEL_PSO, weak[k], 15, false, 1);
	}
	leaving = false;
	print_message("%lu times a worker left in the middle of its work\n", (unsigned long)left);
}

static const unsigned with_sections[] = {
	TOY_F_SECTIONS | TOY_F_MEM | TOY_F_LOCK,
	TOY_F_SECTIONS | TOY_F_MEM | TOY_F_RMW,
	TOY_F_SECTIONS | TOY_F_MEM | TOY_F_RMW | TOY_F_ADDS,
	TOY_F_SECTIONS | TOY_F_MEM | TOY_F_LOCK | TOY_F_TRY,
	TOY_F_SECTIONS | TOY_F_MEM | TOY_F_COND,
	TOY_F_SECTIONS | TOY_F_MEM | TOY_F_SEM,
};
#define SECTION_KINDS (sizeof with_sections / sizeof *with_sections)

/* Sections are steps. Some executions are redundant, as with one worker. */
static void sections_as_steps(void **state)
{
	for (unsigned k = 0; k < SECTION_KINDS; k++) {
		programs(MODEL_SC, with_sections[k], 30, false, 10);
		leaving = true;
		programs(MODEL_SC, with_sections[k], 10, false, 10);
		leaving = false;
		breaks = 1;
		programs(MODEL_SC, with_sections[k], 10, false, 10);
		breaks = 0;
		programs(MODEL_SC, with_sections[k], 10, true, 10);
	}
	sections = NULL;
}

/* A worker that cannot continue ends the search for all: no worker waits for its work. */
static void one_fails(void **state)
{
	struct toy_program p;
	struct toy_set traces = {0};
	uint64_t runs, i = 0;
	do {
		toy_set_clear(&traces);
		toy_random(&p, TOY_F_MEM, seed, i++);
		toy_init(&alone.toy, &p);
	} while (!toy_oracle(&alone.toy, &traces, MOST_INTERLEAVINGS, &runs) || traces.n < 20);
	lay_out(2, &p, 0);
	for (unsigned k = 0; k < 100 && worker[1].stage != STAGE_BEGUN; k++) { /* some executions, until the first worker has work to give away */
		advance(&worker[0]);
		advance(&worker[1]);
	}
	assert_int_equal(worker[1].stage, STAGE_BEGUN);
	worker[1].toy.p = &(struct toy_program){.name = "another", .threads = 1, .model = p.model};
	advance(&worker[1]);
	advance(&worker[1]);
	assert_true(explore_stats(search_of(1))->diverged);
	advance(&worker[1]);
	assert_int_equal(worker[1].stage, STAGE_OVER);
	assert_false(explore_stats(search_of(1))->finished);
	assert_true(explore_common_over(memory));
	toy_set_clear(&traces);
}

/* Three threads of three lock rounds: 9! / 3!^3 traces. */
static void estimates(void **state)
{
	struct toy_program p = {0};
	uint64_t rng = seed;
	for (unsigned t = 1; t <= 3; t++)
		for (unsigned r = 0; r < 3; r++) {
			toy_add(&p, t, TOY_LOCK, 0, 0, 0, 0, 0);
			toy_add(&p, t, TOY_UNLOCK, 0, 0, 0, 0, 0);
		}
	toy_main(&p);
	toy_init(&alone.toy, &p);
	truth = 1680;
	for (unsigned workers = 1; workers <= WORKERS; workers++) {
		lay_out(workers, &p, 0);
		most_open = 0;
		watched = workers;
		assert_true(take_turns(workers, &rng));
		watched = 0;
		assert_true(workers == 1 ? !most_open : most_open > 1);
		assert_int_equal(explore_common_open(memory, COMMON), 0);
		print_message("%u workers: %.2f of the truth at 10 %%, %.2f at 50 %%, %.2f at 90 %%\n", workers, guess[10], guess[50], guess[90]);
		for (unsigned percent = 10; percent < 100; percent++)
			assert_true(guess[percent] >= 0.25 && guess[percent] <= 4);
		struct explore_stats all = joined(workers);
		assert_true(all.finished && all.executions == truth);
		assert_true(all.estimate == truth && all.estimate_low == truth && all.estimate_high == truth);
	}
}

static void refusals(void **state)
{
	config = (struct explore_config){.strategy = STRATEGY_SOURCE};
	assert_false(explore_common_create(memory, 100));
	assert_true(explore_common_create(memory, COMMON));
	assert_true(explore_create(&config, search_of(0), SEARCH));
	assert_false(explore_join(search_of(0), memory, COMMON, true));
	config.strategy = STRATEGY_OPTIMAL;
	assert_true(explore_create(&config, search_of(0), SEARCH));
	assert_true(explore_create(&config, search_of(1), SEARCH));
	assert_int_equal(explore_worker(search_of(0)), 0);
	assert_int_equal(explore_common_open(memory, COMMON), 0);
	assert_true(explore_join(search_of(0), memory, COMMON, true));
	assert_int_equal(explore_worker(search_of(0)), 1);
	assert_false(explore_join(search_of(0), memory, COMMON, true));
	assert_false(explore_join(search_of(1), memory, COMMON, true)); /* a second root */
	assert_true(explore_join(search_of(1), memory, COMMON, false));
	assert_true(explore_waiting(search_of(1)));
	assert_true(explore_common_fits(search_of(0), memory, COMMON));
	assert_true(explore_common_fits(search_of(1), memory, COMMON));
	assert_false(explore_common_fits(search_of(0), memory + 16, COMMON));
	assert_false(explore_common_fits(search_of(0), memory, COMMON - 16));
	assert_true(explore_create(&config, search_of(2), SEARCH));
	assert_true(explore_common_fits(search_of(2), memory, 0)); /* it has not joined */
	memset(memory, 0, 8);
	assert_false(explore_common_fits(search_of(0), memory, COMMON));
	assert_true(explore_create(&config, search_of(2), SEARCH));
	assert_false(explore_join(search_of(2), memory, COMMON, false));
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed = test_seed(seed);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taking_turns),
		cmocka_unit_test(broken_off_and_restarted),
		cmocka_unit_test(taking_turns_with_store_buffers),
		cmocka_unit_test(at_once_with_threads),
		cmocka_unit_test(leaving_and_coming),
		cmocka_unit_test(sections_as_steps),
		cmocka_unit_test(one_fails),
		cmocka_unit_test(estimates),
		cmocka_unit_test(refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
