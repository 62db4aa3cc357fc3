/* Rules by which programs schedule threads of their own: sched/policy.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sched/choice.h"
#include "sched/policy.h"

/* Names differ, each line has its words, and a what-if says what the scheduler itself does. */
static void table(void **state)
{
	for (enum policy_number i = 0; i < POLICIES; i++) {
		const struct policy *p = policy_of(i);

		assert_true(p->name[0] && p->scheduler[0] && p->threads[0] && p->words[0]);
		assert_int_equal(policy_what_if(i), p->itself[0] != 0);
		for (enum policy_number k = 0; k < i; k++)
			assert_string_not_equal(p->name, policy_of(k)->name);
	}
	assert_false(policy_what_if(POLICY_SYSTEMC));
	assert_false(policy_what_if(POLICY_FAIR_ONE));
	assert_true(policy_what_if(POLICY_FAIR_ANY));
}

/* Value 0 is the thread that the scheduler itself takes, and each thread is one value. */
static void values(void **state)
{
	for (uint32_t ready = 1; ready <= 9; ready++)
		for (uint32_t own = 0; own < ready; own++) {
			struct policy_point at = { ready, own };
			uint32_t seen = 0;

			assert_int_equal(policy_thread(at, 0), own);
			for (unsigned value = 0; value < ready; value++) {
				assert_true(policy_thread(at, value) < ready);
				seen |= 1u << policy_thread(at, value);
			}
			assert_int_equal(seen, (1u << ready) - 1);
		}
}

static void any(void **state)
{
	struct policy_state s = { .policy = POLICY_SYSTEMC };

	assert_int_equal(policy_values(&s, (struct policy_point){ 1, 0 }), 1);
	assert_int_equal(policy_values(&s, (struct policy_point){ 7, 3 }), 7);
	assert_int_equal(policy_values(&s, (struct policy_point){ CHOOSE_MOST, 0 }), CHOOSE_MOST);
	assert_int_equal(policy_values(&s, (struct policy_point){ CHOOSE_MOST + 1, 0 }), 0);
	assert_int_equal(policy_before(&s, 0), 0);
}

static void own(void **state)
{
	struct policy_state s = { .policy = POLICY_PTH };

	assert_int_equal(policy_values(&s, (struct policy_point){ 7, 3 }), 1);
	assert_int_equal(policy_values(&s, (struct policy_point){ CHOOSE_MOST + 1, 0 }), 1);
	assert_false(policy_what_if(s.policy));
	s.policy = POLICY_PTH_ANY;
	assert_int_equal(policy_values(&s, (struct policy_point){ 7, 3 }), 7);
	assert_true(policy_what_if(s.policy));
}

/* What a pass decided is what comes before a member; it holds for members only. */
static void one_order(void **state)
{
	static struct policy_state s = { .policy = POLICY_FAIR_ONE };
	struct event event[2] = {
		{ .kind = EV_MUTEX_LOCK, .thread = 5, .obj = { 1 }, .mode = { M_ACQ } },
		{ .kind = EV_MUTEX_LOCK, .thread = 6, .obj = { 1 }, .mode = { M_ACQ } },
	};
	struct trace trace = { .event = event };

	assert_int_equal(policy_values(&s, (struct policy_point){ 3, 0 }), 1);
	assert_true(fixed_order_join(&s.order, 0, 6));
	assert_true(fixed_order_join(&s.order, 1, 5));
	assert_false(fixed_order_join(&s.order, FIXED_ORDER_MEMBERS, 7));
	assert_int_equal(policy_before(&s, 0), 0);
	fixed_order_begin(&s.order, &trace);
	trace.n = 2;
	fixed_order_end(&s.order, &trace, false);
	assert_int_equal(policy_before(&s, 0), 2);
	assert_int_equal(policy_before(&s, 1), 0);
	assert_int_equal(policy_before(&s, FIXED_ORDER_MEMBERS), 0);
}

/* Counts what runs in one phase; a new phase begins at 0. */
static void phases(void **state)
{
	struct policy_state s = { .policy = POLICY_SYSTEMC };

	for (unsigned i = 1; i < 100; i++)
		assert_int_equal(policy_runs(&s, true, 100), i + PHASE_LAST >= 100 ? PHASE_LONG : PHASE_SHORT);
	assert_int_equal(policy_runs(&s, false, 100), PHASE_LONG);
	assert_int_equal(policy_runs(&s, true, 100), PHASE_ENDLESS);
	policy_phase(&s);
	for (unsigned i = 1; i < PHASE_MOST; i++)
		assert_int_equal(policy_runs(&s, false, 100), i + PHASE_LAST >= PHASE_MOST ? PHASE_LONG : PHASE_SHORT);
	assert_int_equal(policy_runs(&s, false, 100), PHASE_ENDLESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(values),
		cmocka_unit_test(any),
		cmocka_unit_test(own),
		cmocka_unit_test(one_order),
		cmocka_unit_test(phases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
