/*
 * Certificates of random tiny programs: lib_certificate.h. Also where several workers share the search, and where the
 * search plans operations that turn out to be blocked.
 */
#include "tests/unit/lib_certificate.h"

/* Of all programs. */
static uint64_t without_rule_1, without_rule_2, shortened_without_rule_2, without_choice, all_choices;

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

/* Returns an event on two objects; 0: none. A poll is of a group, and FD_OTHER joins a file to one. */
static struct event file_event(thread_id t, uint8_t kind, uint8_t mode, object_id a, object_id b)
{
	struct event e = {.thread = t, .kind = kind, .mode = {mode, b ? mode : M_NONE}, .obj = {a, b}};

	e.flags = kind == EV_FD_OTHER || kind == EV_FD_POLL ? EVF_GROUPS : 0;
	return e;
}

/* T1 writes to file 1 and file 3. T2 polls files 1 to 3 as group 4, which it joins them to before. The joins are left
   out, and the poll comes after and before all events on files, whatever their objects are. */
static void groups(void **state)
{
	const struct event e[] = {
		file_event(1, EV_FD_WRITE, M_REL, 1, 0),
		file_event(2, EV_FD_OTHER, M_WRITE, 1, 4),
		file_event(1, EV_FD_WRITE, M_REL, 3, 0),
		file_event(2, EV_FD_OTHER, M_WRITE, 2, 4),
		file_event(2, EV_FD_OTHER, M_WRITE, 3, 4),
		file_event(2, EV_FD_POLL, M_READ, 4, 0),
		file_event(1, EV_FD_READ, M_ACQ, 2, 0),
		file_event(2, EV_FD_READ, M_ACQ, 1, 4),
	};
	struct partial_order o;
	const char *why;

	assert_true(partial_order_make(e, 8, 5, &o, &why));
	assert_int_equal(o.n, 5);
	assert_int_equal(o.certified, 2);
	assert_int_equal(o.event[2].e.kind, EV_FD_POLL);
	assert_true(o.event[2].n == 1 && o.event[2].after[0] == 1);
	assert_true(o.event[3].n == 1 && o.event[3].after[0] == 2);
	assert_int_equal(o.event[4].at, 7);
	assert_int_equal(o.event[4].n, 0);
	partial_order_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counterexample),
		cmocka_unit_test(opposite_locks),
		cmocka_unit_test(memory_only),
		cmocka_unit_test(locks),
		cmocka_unit_test(waits),
		cmocka_unit_test(timed),
		cmocka_unit_test(others),
		cmocka_unit_test(everything),
		cmocka_unit_test(early),
		cmocka_unit_test(several_workers),
		cmocka_unit_test(doubtful),
		cmocka_unit_test(contended),
		cmocka_unit_test(both_rules_matter),
		cmocka_unit_test(groups),
	};

	certificate_settings();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
