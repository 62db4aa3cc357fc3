/* Certificates of searches whose first execution is given (simul certify --from): lib_certificate.h. */
#include "tests/unit/lib_certificate.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(given), cmocka_unit_test(given_without_accesses)};

	certificate_settings();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
