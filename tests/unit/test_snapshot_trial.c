/* When snapshots are tried, and whether they are kept: preload/life/snapshot_trial.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "preload/life/snapshot_trial.c"

#define MS UINT64_C(3000000) /* ticks */

static struct session_trial trial;

static int fresh(void **state)
{
	trial = (struct session_trial){ 0 };
	return 0;
}

static enum trial_change add(struct trial_execution e)
{
	return trial_add(&trial, &e, TRIAL_MEASURED);
}

static struct trial_execution rewound(uint64_t ms)
{
	return (struct trial_execution){ .ticks = ms * MS, .takes_long = true, .rewinds = true };
}

static struct trial_execution forked(uint64_t ms)
{
	return (struct trial_execution){ .ticks = ms * MS, .takes_long = true };
}

/* Adds four executions, so that snapshots begin. */
static void begin(struct trial_execution e)
{
	for (int i = 1; i < TRIAL_EXECUTIONS_WITHOUT; i++) {
		assert_int_equal(add(e), TRIAL_SAME);
		assert_false(trial_allows(&trial));
	}
	assert_int_equal(add(e), TRIAL_BEGINS);
	assert_true(trial_allows(&trial));
}

/* Adds executions with snapshots up to the decision, and returns what it is. */
static enum trial_change end(uint64_t ms, enum trial_verdict verdict)
{
	struct trial_execution e = forked(ms);

	for (int i = 1; i < TRIAL_EXECUTIONS_WITH; i++)
		assert_int_equal(trial_add(&trial, &e, verdict), TRIAL_SAME);
	return trial_add(&trial, &e, verdict);
}

static void a_tenth_must_be_saved(void **state)
{
	const uint64_t hour = 3600 * 1000 * MS;

	assert_true(trial_saves(4 * 1000, 16 * 900));
	assert_false(trial_saves(4 * 1000, 16 * 900 + 1));
	assert_false(trial_saves(4 * 1000, 16 * 1000));
	assert_false(trial_saves(4 * 1000, 16 * 2700));
	assert_true(trial_saves(4 * 1000, 16 * 20));
	assert_true(trial_saves(4 * hour, 16 * hour / 10 * 9)); /* no overflow */
	assert_false(trial_saves(4 * hour, 16 * hour));
}

static void snapshots_that_save_time_are_kept(void **state)
{
	begin(rewound(40));
	assert_int_equal(end(30, TRIAL_MEASURED), TRIAL_SAME);
	assert_true(trial_allows(&trial) && !trial_open(&trial));
	assert_int_equal(add(forked(1000)), TRIAL_SAME);
	assert_true(trial_allows(&trial));
}

static void snapshots_that_cost_time_end(void **state)
{
	begin(rewound(40));
	assert_int_equal(end(100, TRIAL_MEASURED), TRIAL_GIVES_UP);
	assert_true(trial.rewinds && !trial_allows(&trial) && !trial_open(&trial));
	assert_int_equal(add(rewound(40)), TRIAL_SAME); /* and do not begin again */
	assert_false(trial_allows(&trial));
}

static void without_rewinding_there_is_none_to_return_to(void **state)
{
	begin(forked(40));
	assert_int_equal(end(40, TRIAL_MEASURED), TRIAL_GIVES_UP);
	assert_false(trial.rewinds);
}

/* Only the whole time counts: some executions with snapshots start early. */
static void some_may_be_slow(void **state)
{
	begin(forked(40));
	for (int i = 0; i < 8; i++)
		assert_int_equal(add(forked(60)), TRIAL_SAME);
	for (int i = 1; i < 8; i++)
		assert_int_equal(add(forked(1)), TRIAL_SAME);
	assert_int_equal(add(forked(1)), TRIAL_SAME);
	assert_int_equal(trial.phase, TRIAL_KEPT);
}

static void a_short_execution_starts_the_count_again(void **state)
{
	struct trial_execution brief = { .ticks = MS, .rewinds = true };

	for (int i = 0; i < 20; i++)
		assert_int_equal(add(i % TRIAL_EXECUTIONS_WITHOUT ? rewound(40) : brief), TRIAL_SAME);
	assert_int_equal(add(brief), TRIAL_SAME);
	assert_int_equal(trial.without, 0);
	begin(rewound(40));
	assert_int_equal(trial.without, 160 * MS);
}

/* Times of rewound and of forked executions are not added up. */
static void executions_that_are_not_rewound_any_more(void **state)
{
	for (int i = 1; i < TRIAL_EXECUTIONS_WITHOUT; i++)
		assert_int_equal(add(rewound(10)), TRIAL_SAME);
	begin(forked(40));
	assert_int_equal(trial.without, 160 * MS);
	assert_false(trial.rewinds);
}

/* Workers that share the machine make each other slower. */
static void sharing_begins_during_the_trial(void **state)
{
	struct trial_execution slow = forked(80), shared = rewound(80);

	slow.shared = shared.shared = true;
	begin(rewound(40));
	assert_int_equal(add(forked(20)), TRIAL_SAME);
	assert_int_equal(add(slow), TRIAL_GIVES_UP);
	assert_true(trial.rewinds && trial_open(&trial) && !trial_allows(&trial));
	begin(shared);
	for (int i = 1; i < TRIAL_EXECUTIONS_WITH; i++)
		assert_int_equal(add(slow), TRIAL_SAME);
	assert_int_equal(add(slow), TRIAL_GIVES_UP);
	assert_int_equal(trial.phase, TRIAL_ENDED);
}

static void tests_set_the_verdict(void **state)
{
	begin(forked(40));
	assert_int_equal(end(1, TRIAL_ENDS), TRIAL_GIVES_UP);
	trial = (struct session_trial){ 0 };
	begin(forked(40));
	assert_int_equal(end(400, TRIAL_KEEPS), TRIAL_SAME);
	assert_true(trial_allows(&trial));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, fresh)
	const struct CMUnitTest tests[] = {
		TEST(a_tenth_must_be_saved),
		TEST(snapshots_that_save_time_are_kept),
		TEST(snapshots_that_cost_time_end),
		TEST(without_rewinding_there_is_none_to_return_to),
		TEST(some_may_be_slow),
		TEST(a_short_execution_starts_the_count_again),
		TEST(executions_that_are_not_rewound_any_more),
		TEST(sharing_begins_during_the_trial),
		TEST(tests_set_the_verdict),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
