/*
 * Certificates against brute force. A search of a random tiny program is stopped after some executions. All runs that the two rules of
 * enforce/lib/gate.h allow (docs/enforcement.md) must pass, never get stuck, and be traces that the search has explored. Without either rule
 * some runs violate this, so the test can fail.
 */
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

/* ---- searches that plan operations which turn out to be blocked ---- */

/* What the search knows about whether a lock is free. OUTSIDE: as much as for descriptors and cancellation. NOTHING: it assumes that it is. */
static enum { EVERYTHING, OUTSIDE, NOTHING } known;

bool __real_feasible(struct search *s, const struct event *e, const struct cut *c, bool latest, uint32_t *blocker, bool *sure);
bool __wrap_feasible(struct search *s, const struct event *e, const struct cut *c, bool latest, uint32_t *blocker, bool *sure);

bool __wrap_feasible(struct search *s, const struct event *e, const struct cut *c, bool latest, uint32_t *blocker, bool *sure)
{
	if (known == EVERYTHING || e->kind != EV_MUTEX_LOCK || e->alt != ALT_NORMAL)
		return __real_feasible(s, e, c, latest, blocker, sure);
	*blocker = NO_INDEX;
	*sure = true;
	return known == NOTHING || feasible_outside(s, e, c);
}

/* Returns whether the program is small enough. The search that has just run must have explored every trace if it has finished. */
static bool explores_all(struct toy_program *p)
{
	struct explore_config config = {.strategy = strategy, .shuffle = shuffled};
	struct toy_set traces = {0}, explored = {0};
	struct strategy s;
	enum run_verdict verdict;
	uint64_t runs;
	bool small;

	toy_init(&toy, p);
	toy_forget(&toy);
	small = toy_oracle(&toy, &traces, 1000, &runs);
	if (small) {
		toy_init(&toy, p);
		assert_true(explore_create(&config, memory, sizeof(memory)));
		assert_true(explore_attach(memory, sizeof(memory), &s));
		while (toy_run(&toy, &s, &verdict))
			if (verdict == RUN_OK || verdict == RUN_FAILED || verdict == RUN_DEADLOCK)
				toy_set_add(&explored, toy_hash_of(&toy));
		if (toy_set_missing(&traces, &explored) || toy_set_missing(&explored, &traces)) {
			print_error("%zu traces are lost, %zu invented\n", toy_set_missing(&traces, &explored), toy_set_missing(&explored, &traces));
			toy_print(p);
			fail();
		}
	}
	toy_set_clear(&traces);
	toy_set_clear(&explored);
	return small;
}

/* ---- searches whose first execution is given ---- */

#define MOST_COUNTED 400

struct given {
	uint64_t programs, kept, thinned, lost, counted;
};

/* Takes the first of a few random executions that passed as the guide. Returns false if none did. */
static bool record_passing(struct toy_program *p, uint64_t i)
{
	struct explore_config config = {.strategy = STRATEGY_RANDOM, .seed = i, .max_executions = 8, .keep_passing = 1};
	const struct event *event;
	struct strategy s;
	enum run_verdict verdict;

	toy_init(&toy, p);
	toy_forget(&toy);
	assert_true(explore_create(&config, memory, sizeof(memory)));
	assert_true(explore_attach(memory, sizeof(memory), &s));
	while (toy_run(&toy, &s, &verdict))
		;
	guide_n = 0;
	if (!explore_passing(memory, sizeof(memory), &event, &guide_n))
		return false;
	assert_true(guide_n < MOST_STEPS);
	for (uint32_t k = 0; k < guide_n; k++)
		guide[k] = (struct forced_step){.thread = event[k].thread, .alt = event[k].alt, .kind = event[k].kind,
			.obj = {event[k].obj[0], event[k].obj[1]}, .span = event[k].span};
	return true;
}

/* Leaves out some accesses to memory, as if their bytes had not been visible when the execution was recorded. */
static void thin_out(void)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < guide_n; k++)
		if (!object_is_memory(guide[k].obj[0]) || random_number(&seed) % 2)
			guide[n++] = guide[k];
	guide_n = n;
}

/* Returns how many executions the whole search has; 0: more than MOST_COUNTED, or it ended before. */
static uint64_t count_executions(struct toy_program *p, bool guided, uint32_t shuffle)
{
	struct explore_config config = {.strategy = STRATEGY_OPTIMAL, .certify = CERTIFY_ON, .shuffle = shuffle};
	struct strategy s;
	enum run_verdict verdict;

	toy_init(&toy, p);
	toy_forget(&toy);
	assert_true(explore_create(&config, memory, sizeof(memory)));
	assert_true(!guided || explore_guide(memory, guide, guide_n));
	assert_true(explore_attach(memory, sizeof(memory), &s));
	while (explore_stats(memory)->executions <= MOST_COUNTED && toy_run(&toy, &s, &verdict))
		;
	return explore_stats(memory)->finished ? explore_stats(memory)->executions : 0;
}

/* The spine of the search that has just run is the recorded execution. */
static void is_recorded(void)
{
	struct explore_spine spine;

	assert_true(explore_spine(memory, sizeof(memory), shared_by > 1 ? common : NULL, &spine));
	assert_int_equal(spine.lost, 0);
	assert_int_equal(spine.n, guide_n);
	for (uint32_t k = 0; k < guide_n; k++)
		assert_true(spine.event[k].thread == guide[k].thread && spine.event[k].alt == guide[k].alt && spine.event[k].kind == guide[k].kind);
}

/* A recording with one step more than the execution has: the search ends after that execution and names the step. */
static void cannot_be_followed(struct toy_program *p)
{
	struct explore_spine spine;

	guide[guide_n++] = (struct forced_step){.thread = 1, .kind = EV_MUTEX_LOCK};
	assert_int_equal(count_executions(p, true, 0), 0);
	assert_false(explore_spine(memory, sizeof(memory), shared_by > 1 ? common : NULL, &spine));
	assert_int_equal(spine.lost, guide_n);
	assert_int_equal(explore_stats(memory)->executions, 1);
	guide_n--;
}

/* The search that begins with a recorded execution explores as many traces as any other, and its certificates hold. The same when the recording
   lacks some accesses, unless the search says that it could not follow it. */
static void given_program(struct totals *sum, struct given *g, struct toy_program *p, uint64_t i, bool dies)
{
	uint64_t all, n;
	struct explore_spine spine;

	if (!record_passing(p, i))
		return;
	g->programs++;
	n = count_executions(p, true, (uint32_t)(i % 3));
	is_recorded();
	g->kept++;
	all = count_executions(p, false, 0);
	if (dies) /* which part of a trace comes before the death depends on the order of the search, and so the number of traces */
		all = 0;
	if (all) {
		assert_int_equal(n, all);
		g->counted++;
	}
	one_program(sum, p);
	cannot_be_followed(p);
	thin_out();
	n = count_executions(p, true, 0);
	if (explore_spine(memory, sizeof(memory), shared_by > 1 ? common : NULL, &spine)) {
		assert_true(dies || n == all);
		g->thinned++;
		one_program(sum, p);
	} else {
		assert_true(spine.lost > 0 && spine.lost <= guide_n + 1);
		g->lost++;
	}
}

static void given(void **state)
{
	static const unsigned features[] = {TOY_F_MEM | TOY_F_RMW, TOY_F_LOCK | TOY_F_MEM | TOY_F_DIE,
		TOY_F_LOCK | TOY_F_COND | TOY_F_SEM | TOY_F_TRY | TOY_F_MEM, TOY_F_LOCK | TOY_F_COND | TOY_F_TIMED, TOY_F_RW | TOY_F_BARRIER | TOY_F_ONCE | TOY_F_MEM};
	unsigned n = sizeof(features) / sizeof(*features), part = toy_random_part(40);
	struct given g = {0};
	struct totals sum = {0};
	struct toy_program p;

	early_exit = false;
	for (uint64_t i = 0; i < n * part; i++) {
		toy_random(&p, features[i % n], seed, i);
		given_program(&sum, &g, &p, i, features[i % n] & TOY_F_DIE);
	}
	guide_n = 0;
	print_message("first execution given: %lu programs, %lu counted; with accesses left out %lu followed, %lu not\n", (unsigned long)g.programs,
		(unsigned long)g.counted, (unsigned long)g.thinned, (unsigned long)g.lost);
	assert_true(g.kept > 0 && g.counted > 0 && g.thinned > 0);
	assert_true(g.lost * 20 <= g.programs);
	assert_int_equal(sum.wrong[ALL], 0);
}

/* T1: lock; unlock; x = 1. T2: lock; dies unless x is 1; unlock. The recording has no accesses, and T1 ends after T2 in it. It can be followed only
   if T1 performs its store where it did when that was no event: right after it has unlocked. */
static void given_without_accesses(void **state)
{
	struct toy_program p = {.threads = 3};
	static struct forced_step recorded[MOST_STEPS];
	struct explore_spine spine;
	uint32_t n = 0;

	early_exit = false;
	toy_main(&p);
	for (unsigned t = 1; t <= 2; t++) {
		toy_add(&p, t, TOY_LOCK, 0, 0, 0, 0, 0);
		if (t == 2) {
			toy_add(&p, t, TOY_LOAD, 0, 0, 0, 0, 0);
			toy_add(&p, t, TOY_DIE_EQ, 0, 0, 0, 0, 0);
		}
		toy_add(&p, t, TOY_UNLOCK, 0, 0, 0, 0, 0);
		if (t == 1)
			toy_add(&p, t, TOY_STORE, 0, 1, 0, 0, 0);
	}
	assert_true(record_passing(&p, 1));
	memcpy(recorded, guide, sizeof(recorded));
	for (unsigned part = 0; part < 5; part++) { /* main creates, T1 without its end, T2, the end of T1, main joins */
		static const unsigned of[] = {0, 1, 2, 1, 0};
		uint32_t last = 0;

		for (uint32_t k = 0; k < guide_n; k++)
			if (recorded[k].thread == of[part])
				last = k;
		for (uint32_t k = 0; k < guide_n; k++) {
			bool late = of[part] == 1 ? k == last : of[part] == 0 && recorded[k].kind != EV_THREAD_CREATE;

			if (recorded[k].thread == of[part] && !object_is_memory(recorded[k].obj[0]) && late == (part > 2))
				guide[n++] = recorded[k];
		}
	}
	guide_n = n;
	count_executions(&p, true, 0);
	assert_true(explore_spine(memory, sizeof(memory), shared_by > 1 ? common : NULL, &spine));
	guide_n = 0;
}

static void programs(unsigned features, unsigned n)
{
	early_exit = features & TOY_F_NOJOIN;
	struct totals sum = {0};
	struct toy_program p;

	/* A small share may contain no certificate that is shorter than its execution. Then the next programs run as well. */
	unsigned part = toy_random_part(n);

	for (uint64_t i = 0; sum.programs < part || (sum.shorter == 0 && sum.programs < n); i++) {
		toy_random(&p, features, seed, i);
		one_program(&sum, &p);
	}
	print_message("features %#x: %lu programs, %lu certificates, %lu shorter than the execution, %lu frozen, %lu unconstrained; "
		"wrong runs: %lu, without rule 1 %lu, without rule 2 %lu; %lu with a choice, wrong runs without its rule %lu\n", features, (unsigned long)sum.programs,
		(unsigned long)sum.certificates, (unsigned long)sum.shorter, (unsigned long)sum.frozen, (unsigned long)sum.unconstrained,
		(unsigned long)sum.wrong[ALL], (unsigned long)sum.wrong[RULE_2 | CHOICE], (unsigned long)sum.wrong[RULE_1 | CHOICE],
		(unsigned long)sum.choices, (unsigned long)sum.wrong[BOTH]);
	assert_true(sum.shorter > 0);
	without_rule_1 += sum.wrong[RULE_2 | CHOICE];
	without_rule_2 += sum.wrong[RULE_1 | CHOICE];
	shortened_without_rule_2 += sum.shortened[RULE_1 | CHOICE];
	without_choice += sum.wrong[BOTH];
	all_choices += sum.choices;
}

/* One access of thread t: read-modify-writes and stores, now and then a load, sometimes with a lock, and sometimes death for one outcome. */
static void contended_access(struct toy_program *p, unsigned t)
{
	unsigned x = random_number(&seed) % 4 == 0, how = (unsigned)(random_number(&seed) % 8);
	bool locked = random_number(&seed) % 4 == 0;

	if (locked)
		toy_add(p, t, TOY_LOCK, 0, 0, 0, 0, 0);
	if (how < 4)
		toy_add(p, t, TOY_ADD, (int)x, 1, 1, 0, 0);
	else if (how < 6)
		toy_add(p, t, TOY_STORE, (int)x, (int)t, 0, 0, 0);
	else
		toy_add(p, t, TOY_LOAD, 0, (int)x, 0, 0, 0);
	if (locked)
		toy_add(p, t, TOY_UNLOCK, 0, 0, 0, 0, 0);
	if (random_number(&seed) % 8 == 0)
		toy_add(p, t, TOY_DIE_EQ, 0, (int)(random_number(&seed) % 3) + 1, 0, 0, 0);
}

/* Three or four threads race for the same few objects, so that states have several finished branches. */
static void contended(void **state)
{
	struct totals sum = {0};
	unsigned part = toy_random_part(300);

	early_exit = false;
	for (uint64_t i = 0; i < part; i++) {
		struct toy_program p = {.threads = 4 + (unsigned)(random_number(&seed) % 2)};

		toy_main(&p);
		for (unsigned t = 1; t < p.threads; t++)
			for (unsigned k = 1 + (unsigned)(random_number(&seed) % 2); k > 0; k--)
				contended_access(&p, t);
		one_program(&sum, &p);
	}
	print_message("contended: %lu programs, %lu certificates, %lu with a choice, %lu frozen; wrong runs: %lu, %lu while the prefix gets shorter; "
		"without rule 1 %lu, without rule 2 %lu, without the rule for the choice %lu; runs that left the execution there: %lu\n",
		(unsigned long)sum.programs, (unsigned long)sum.certificates, (unsigned long)sum.choices, (unsigned long)sum.frozen,
		(unsigned long)sum.wrong[ALL], (unsigned long)sum.shortened[ALL], (unsigned long)sum.wrong[RULE_2 | CHOICE],
		(unsigned long)sum.wrong[RULE_1 | CHOICE], (unsigned long)sum.wrong[BOTH], (unsigned long)left_otherwise);
	all_choices += sum.choices;
	without_choice += sum.wrong[BOTH];
}

/* Over all programs above, each rule prevents some unverified runs. */
static void both_rules_matter(void **state)
{
	if (getenv("FILTER"))
		skip();
	assert_true(without_rule_1 > 0);
	assert_true(without_rule_2 > 0);
	assert_true(shortened_without_rule_2 > 0);
	if (toy_random_part(100) < 10)
		return; /* too few programs */
	assert_true(all_choices > 0 && left_otherwise > 0);
	assert_true(without_choice > 0);
}

static void memory_only(void **state)
{
	programs(TOY_F_MEM | TOY_F_RMW | TOY_F_DIE, 600);
}

static void locks(void **state)
{
	programs(TOY_F_LOCK | TOY_F_MEM | TOY_F_DIE, 400);
}

static void waits(void **state)
{
	programs(TOY_F_LOCK | TOY_F_COND | TOY_F_SEM | TOY_F_TRY, 300);
}

static void timed(void **state)
{
	programs(TOY_F_LOCK | TOY_F_COND | TOY_F_TIMED, 200);
}

static void others(void **state)
{
	programs(TOY_F_RW | TOY_F_BARRIER | TOY_F_ONCE | TOY_F_SEM, 300);
}

static void everything(void **state)
{
	programs(TOY_F_MEM | TOY_F_RMW | TOY_F_LOCK | TOY_F_TRY | TOY_F_SEM | TOY_F_COND | TOY_F_RW | TOY_F_BARRIER | TOY_F_DIE, 200);
}

/* Several workers: the certificate of all of them together, after each of their executions. */
static void several_workers(void **state)
{
	static const unsigned features[] = {TOY_F_MEM | TOY_F_RMW | TOY_F_DIE, TOY_F_LOCK | TOY_F_MEM | TOY_F_DIE,
		TOY_F_LOCK | TOY_F_COND | TOY_F_SEM | TOY_F_TRY, TOY_F_LOCK | TOY_F_COND | TOY_F_TIMED, TOY_F_LOCK | TOY_F_MEM | TOY_F_RMW};
	struct toy_program p;
	struct totals sum = {0};
	unsigned n = toy_random_part(1000);

	early_exit = false;
	for (uint64_t i = 0; i < n; i++) {
		workers = 2 + i / 5 % (WORKERS - 1);
		shuffled = i % 3 ? 0 : (uint32_t)i + 1;
		certify = i % 2 ? CERTIFY_ON : CERTIFY_FIRST_BUG;
		toy_random(&p, features[i % 5], seed, i);
		one_program(&sum, &p);
	}
	workers = shared_by = 1;
	shuffled = 0;
	certify = CERTIFY_FIRST_BUG;
	print_message("several workers: %lu programs, %lu shared, %lu to the end, %lu certificates, %lu shorter,\n"
		"  %lu frozen, %lu unconstrained; wrong runs: %lu\n",
		(unsigned long)sum.programs, (unsigned long)sum.shared, (unsigned long)sum.whole,
		(unsigned long)sum.certificates, (unsigned long)sum.shorter, (unsigned long)sum.frozen,
		(unsigned long)sum.unconstrained, (unsigned long)sum.wrong[ALL]);
	assert_true(sum.shared > 0 && sum.whole > 0 && sum.frozen > 0);
	assert_int_equal(sum.wrong[ALL], 0);
}

/* A plan that cannot be followed is replaced by every choice. So nothing is lost, and the certificate still gets shorter. */
static void doubtful(void **state)
{
	static const unsigned features[] = {TOY_F_LOCK | TOY_F_MEM | TOY_F_DIE, TOY_F_LOCK | TOY_F_MEM | TOY_F_RMW, TOY_F_LOCK, TOY_F_LOCK | TOY_F_SEM};
	struct toy_program p;
	struct totals sum = {0};
	uint64_t infeasible = 0, whole = 0;
	unsigned n = toy_random_part(600);

	early_exit = false;
	for (uint64_t i = 0; i < n; i++) {
		known = i / 4 % 2 ? NOTHING : OUTSIDE;
		strategy = i / 8 % 3 == 2 ? STRATEGY_SOURCE : STRATEGY_OPTIMAL;
		shuffled = i / 8 % 3 ? (uint32_t)i + 1 : 0;
		toy_random(&p, features[i % 4], seed, i);
		one_program(&sum, &p);
		infeasible += explore_stats(memory)->infeasible;
		whole += explores_all(&p);
	}
	known = EVERYTHING;
	strategy = STRATEGY_OPTIMAL;
	shuffled = 0;
	print_message("in doubt: %lu programs, %lu compared with all interleavings, %lu plans that could not be followed, %lu certificates, %lu shorter than "
		"the execution, %lu frozen, %lu unconstrained; wrong runs: %lu, without rule 1 %lu, without rule 2 %lu\n", (unsigned long)sum.programs,
		(unsigned long)whole, (unsigned long)infeasible, (unsigned long)sum.certificates, (unsigned long)sum.shorter, (unsigned long)sum.frozen,
		(unsigned long)sum.unconstrained, (unsigned long)sum.wrong[ALL], (unsigned long)sum.wrong[RULE_2 | CHOICE],
		(unsigned long)sum.wrong[RULE_1 | CHOICE]);
	assert_true(infeasible > 0);
	assert_true(sum.unconstrained > 0);
}

static void early(void **state)
{
	programs(TOY_F_MEM | TOY_F_RMW | TOY_F_LOCK | TOY_F_COND | TOY_F_DIE | TOY_F_NOJOIN, 200);
}

/* T1: x = 1; x = 0. T2: load x, dies unless it is 1; y = 1. It passes only if the load runs between the two stores. With the prefix {x = 1,
   load, y = 1}, "x = 0" could come before the load if events after the prefix need not wait (Theorem 1 of the paper as printed). */
static void counterexample(void **state)
{
	struct toy_program p = {.threads = 3};
	struct totals sum = {0};

	early_exit = false;
	toy_main(&p);
	toy_add(&p, 1, TOY_STORE, 0, 1, 0, 0, 0);
	toy_add(&p, 1, TOY_STORE, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_LOAD, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_DIE_EQ, 0, 0, 0, 0, 0);
	toy_add(&p, 2, TOY_STORE, 1, 1, 0, 0, 0);
	one_program(&sum, &p);
	assert_true(sum.frozen > 0 && sum.shorter > 0);
	assert_int_equal(sum.wrong[ALL], 0);
	assert_true(sum.wrong[RULE_1 | CHOICE] > 0);
}

/* Two locks in opposite orders. No edge of the prefix leads from one thread to the other; only rule 2 prevents the deadlock. */
static void opposite_locks(void **state)
{
	struct toy_program p = {.threads = 3};
	struct totals sum = {0};

	toy_main(&p);
	for (unsigned t = 1; t <= 2; t++) {
		toy_add(&p, t, TOY_LOCK, t == 2, 0, 0, 0, 0);
		toy_add(&p, t, TOY_LOCK, t == 1, 0, 0, 0, 0);
		toy_add(&p, t, TOY_UNLOCK, t == 1, 0, 0, 0, 0);
		toy_add(&p, t, TOY_UNLOCK, t == 2, 0, 0, 0, 0);
	}
	one_program(&sum, &p);
	assert_true(sum.frozen > 0);
	assert_int_equal(sum.wrong[ALL], 0);
	assert_true(sum.wrong[RULE_1 | CHOICE] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counterexample), cmocka_unit_test(opposite_locks), cmocka_unit_test(memory_only), cmocka_unit_test(locks),
		cmocka_unit_test(waits), cmocka_unit_test(timed), cmocka_unit_test(others),
		cmocka_unit_test(everything), cmocka_unit_test(early), cmocka_unit_test(several_workers),
		cmocka_unit_test(doubtful), cmocka_unit_test(given),
		cmocka_unit_test(given_without_accesses), cmocka_unit_test(contended),
		cmocka_unit_test(both_rules_matter),
	};
	const char *other = getenv("ENFORCE_SEED"), *filter = getenv("FILTER");

	if (filter)
		cmocka_set_test_filter(filter);

	if (other)
		seed = strtoull(other, NULL, 10);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
