/*
 * Certificates of random tiny programs against brute force, for test_enforce*.c. A search is stopped after some
 * executions. All runs that the two rules of enforce/lib/gate.h allow (docs/enforcement.md) must pass, never get stuck,
 * and be traces that the search has explored. Without either rule some runs violate this, so the tests can fail.
 */
#ifndef LIB_CERTIFICATE_H
#define LIB_CERTIFICATE_H

#include "explore/shared/common.h"
#include "tests/unit/lib_gate.h"

static unsigned strategy = STRATEGY_OPTIMAL, certify = CERTIFY_FIRST_BUG;
static uint32_t shuffled;

/* Several workers share a search as soon as its spine is known. They take turns, one execution each, in a random order. */
#define WORKERS 4
static unsigned workers = 1, shared_by; /* how many there should be, and are */
static _Alignas(16) char common[4 << 20], more[WORKERS - 1][4 << 20];
static struct strategy worker[WORKERS];

/* The schedule that the first execution of a search follows; n 0: none. */
static struct forced_step guide[MOST_STEPS];
static uint32_t guide_n;

struct totals {
	uint64_t shared, whole; /* searches of several workers; those that ended with everything explored */
	uint64_t programs, certificates, shorter, frozen, unconstrained, choices, wrong[ALL + 1];
	uint64_t shortened[ALL + 1]; /* wrong runs while the prefix got shorter */
	/* the previous certificate of the search, with siblings: */
	uint32_t start, instead[SPINE_SIBLINGS], n_instead;
};

/* Runs what the rules allow while the prefix gets shorter: from the whole execution, and from the previous certificate that had siblings. */
static uint64_t run_shortened(struct totals *sum, struct gate *g, const struct toy_set *explored)
{
	uint64_t wrong;

	g->shortens = true;
	g->start = g->order->n;
	g->n_instead = 0;
	wrong = run_all(g, explored);
	g->start = sum->start;
	g->n_instead = sum->n_instead;
	memcpy(g->instead, sum->instead, sizeof(g->instead));
	if (sum->n_instead && sum->start > g->order->certified)
		wrong += run_all(g, explored);
	return wrong;
}

/* Checks the certificate of the search as it is now. */
static void check(struct totals *sum, const struct toy_set *explored)
{
	struct explore_spine spine;
	struct partial_order order;
	struct naming x = {0};
	const char *why;
	static uint64_t names[MOST_STEPS][2], own[MOST_STEPS][2];

	if (!explore_spine(memory, sizeof(memory), shared_by > 1 ? common : NULL, &spine) || spine.n >= MOST_STEPS)
		return;
	struct event *events = malloc(spine.n * sizeof(*events));
	memcpy(events, spine.event, spine.n * sizeof(*events));
	x = (struct naming){events, spine.n, 0, names};
	toy_execute(&toy, pick_same, observe_same, &x);
	assert_true(partial_order_make(events, spine.n, spine.certified, &order, &why));
	for (uint32_t i = 0; i < order.n; i++)
		memcpy(own[i], names[order.event[i].at], sizeof(own[i]));
	memset(gate.most, 0, sizeof(gate.most));
	for (uint32_t i = 0; i < spine.n; i++)
		gate.most[events[i].thread]++;
	sum->certificates++;
	sum->shorter += order.certified < order.n;
	sum->frozen += spine.frozen != 0;
	sum->unconstrained += !order.certified;
	uint32_t instead[SPINE_SIBLINGS], n_instead = partial_order_instead(&order, spine.certified, spine.sibling, spine.siblings, instead);
	sum->choices += n_instead != 0;
	static const unsigned variants[] = {ALL, RULE_2 | CHOICE, RULE_1 | CHOICE, BOTH};
	for (unsigned v = 0; v < sizeof(variants) / sizeof(*variants); v++) {
		unsigned rules = variants[v];

		if (rules == BOTH && !n_instead && !sum->n_instead)
			continue; /* without a choice that is the same as ALL */
		gate.order = &order;
		gate.name = own;
		gate.rules = rules;
		gate.shortens = false;
		gate.start = order.certified;
		gate.n_instead = n_instead;
		memcpy(gate.instead, instead, sizeof(instead));
		sum->wrong[rules] += run_all(&gate, explored);
		if (order.certified < order.n)
			sum->shortened[rules] += run_shortened(sum, &gate, explored);
	}
	if (n_instead) {
		sum->start = order.certified;
		sum->n_instead = n_instead;
		memcpy(sum->instead, instead, sizeof(instead));
	}
	partial_order_free(&order);
	free(events);
}

static bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Returns whether the search has finished another sibling since the last call. */
static bool new_siblings(void)
{
	static uint32_t n;
	uint32_t before = n;
	struct explore_spine spine;

	n = explore_spine(memory, sizeof(memory), shared_by > 1 ? common : NULL, &spine) ? spine.siblings : 0;
	return n > before;
}

static void share(const struct explore_config *config)
{
	shared_by = workers;
	memset(common, 0, sizeof(common));
	assert_true(explore_common_create(common, sizeof(common)));
	assert_true(explore_join(memory, common, sizeof(common), true));
	for (unsigned k = 1; k < workers; k++) {
		assert_true(explore_create(config, more[k - 1], sizeof(more[k - 1])));
		assert_true(explore_join(more[k - 1], common, sizeof(common), false));
		assert_true(explore_attach(more[k - 1], sizeof(more[k - 1]), &worker[k]));
	}
}

/* Returns whether a worker has made an execution. */
static bool next_execution(const struct explore_config *config, enum run_verdict *verdict)
{
	unsigned first;

	if (workers > shared_by && explore_can_join(memory))
		share(config);
	if (shared_by == 1)
		return toy_run(&toy, &worker[0], verdict);
	first = (unsigned)(random_number(&seed) % shared_by);
	for (unsigned k = 0; k < shared_by; k++)
		if (toy_run(&toy, &worker[(first + k) % shared_by], verdict))
			return true;
	return false;
}

static void one_program(struct totals *sum, struct toy_program *p)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffled, .certify = certify};
	struct toy_set explored = {0};
	enum run_verdict verdict;
	uint64_t before = sum->wrong[ALL], executions = 0, first = 0;
	uint32_t certified = UINT32_MAX;
	struct explore_spine end;

	sum->n_instead = 0;
	shared_by = 1;
	toy_init(&toy, p);
	toy_forget(&toy);
	assert_true(explore_create(&config, memory, sizeof(memory)));
	assert_true(!guide_n || explore_guide(memory, guide, guide_n));
	assert_true(explore_attach(memory, sizeof(memory), &worker[0]));
	while (next_execution(&config, &verdict)) {
		struct explore_spine spine;

		if (explore_stats(memory)->executions < first) { /* it restarted */
			toy_set_clear(&explored);
			sum->n_instead = 0;
			executions = 0;
		}
		first = explore_stats(memory)->executions;
		executions++;
		if (verdict == RUN_OK || verdict == RUN_FAILED || verdict == RUN_DEADLOCK)
			toy_set_add(&explored, toy_hash_of(&toy));
		if (is_power_of_two(executions) || new_siblings())
			check(sum, &explored);
		if (explore_spine(memory, sizeof(memory), shared_by > 1 ? common : NULL, &spine)) {
			assert_true(spine.certified <= certified);
			certified = spine.certified;
		}
		if (executions > 64)
			break;
	}
	check(sum, &explored);
	if (shared_by > 1 && explore_common_over(common)) {
		assert_true(explore_spine(memory, sizeof(memory), common, &end));
		assert_true(end.frozen || !end.certified);
		sum->whole++;
	}
	sum->shared += shared_by > 1;
	toy_set_clear(&explored);
	sum->programs++;
	if (sum->wrong[ALL] == before && !sum->shortened[ALL])
		return;
	print_error("%lu runs under the rules are not certified traces, %lu of those while the prefix gets shorter\n",
		(unsigned long)(sum->wrong[ALL] - before), (unsigned long)sum->shortened[ALL]);
	toy_print(p);
	fail();
}

/* ENFORCE_SEED: another seed. FILTER: only some tests. Call it before the tests. */
static void certificate_settings(void)
{
	const char *other = getenv("ENFORCE_SEED"), *filter = getenv("FILTER");

	if (filter)
		cmocka_set_test_filter(filter);
	if (other)
		seed = strtoull(other, NULL, 10);
}

#endif
