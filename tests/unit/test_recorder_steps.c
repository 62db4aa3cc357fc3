/* Properties derived from the steps of a recording: its preemptions, and the update of each store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>

#include "recorder/report/report.h"
#include "tests/unit/lib_recording.h"

static void test_preemptions(void **state)
{
	struct recording *r = sample_new();
	thread_id t = sample_thread(r, "T0.1", "f");
	object_id m = sample_object(r, OBJ_MUTEX, 1, "m", NULL);

	assert_int_equal(recording_preemptions(r), 0);
	sample_step(r, 0, EV_MUTEX_LOCK, m, 0, NULL, NULL, 0);
	sample_step(r, t, EV_YIELD, 0, 0, NULL, NULL, 0); /* T0 could have continued: 1 */
	sample_step(r, 0, EV_MUTEX_UNLOCK, m, 0, NULL, NULL, 0); /* after a yield: no */
	sample_step(r, t, EV_MUTEX_LOCK, m, 0, NULL, NULL, 0); /* T0 wants m, which was free: 2 */
	sample_step(r, 0, EV_YIELD, 0, 0, NULL, NULL, 0); /* T0.1 could have continued: 3 */
	sample_step(r, t, EV_MUTEX_UNLOCK, m, 0, NULL, NULL, 0);
	sample_step(r, 0, EV_MUTEX_LOCK, m, 0, NULL, NULL, 0)->flags = EVF_WAITED; /* T0.1 has no more events */
	assert_int_equal(recording_preemptions(r), 3);
	recording_free(r);
	r = sample_deadlock();
	assert_int_equal(recording_preemptions(r), 0); /* no thread has further events */
	recording_free(r);
}

/* Switching away from a thread that waits for a lock held by another thread is no preemption. If the lock is free, it is one. */
static void test_preemption_of_a_waiter(void **state)
{
	struct recording *r = sample_new();
	thread_id t = sample_thread(r, "T0.1", "f");
	object_id m = sample_object(r, OBJ_MUTEX, 1, "m", NULL);

	sample_step(r, t, EV_MUTEX_LOCK, m, 0, NULL, NULL, 0);
	sample_step(r, t, EV_YIELD, 0, 0, NULL, NULL, 0);
	sample_step(r, 0, EV_MUTEX_INIT, 0, 0, NULL, NULL, 0);
	sample_step(r, t, EV_MUTEX_UNLOCK, m, 0, NULL, NULL, 0); /* T0 wants m, which T0.1 holds */
	sample_step(r, 0, EV_MUTEX_LOCK, m, 0, NULL, NULL, 0)->flags = EVF_WAITED;
	assert_int_equal(recording_preemptions(r), 0);
	recording_free(r);
}

/* Each store has the update of the oldest store of its thread and place. */
static void test_pairs(void **state)
{
	struct recording *r = sample_pso(0);
	size_t partner[16], at = 77;

	sample_store(r, 1, 3, 0x404004, 12);
	sample_update(r, 1, 3, 0x404004, 0);
	sample_update(r, 1, 3, 0x404004, 2);
	assert_true(recording_pair_stores(r, partner, NULL));
	assert_int_equal(partner[2], 9);
	assert_int_equal(partner[3], 4);
	assert_int_equal(partner[4], 3);
	assert_int_equal(partner[8], 10);
	assert_int_equal(partner[9], 2);
	assert_int_equal(partner[10], 8);
	assert_true(partner[0] == NO_STEP && partner[5] == NO_STEP);
	sample_update(r, 1, 3, 0x404004, 3);
	assert_false(recording_pair_stores(r, partner, &at));
	assert_int_equal(at, 11);
	recording_free(r);
	r = sample_pso(0);
	assert_true(recording_pair_stores(r, partner, NULL));
	assert_true(partner[2] == NO_STEP); /* it never reached memory */
	recording_free(r);
}

/* An update is not a step of a thread. A thread that waits for an update could not have continued. */
static void test_preemptions_with_buffers(void **state)
{
	struct recording *r = sample_tso();

	/* T0 is left after step 2 and T0.2 after step 7, and both could have continued. T0.1, left after step 4, waited for its buffer. */
	assert_int_equal(recording_preemptions(r), 2);
	r->steps[7] = r->steps[8]; /* the store of T0.1 comes first: now T0.2 waits too */
	r->steps[8] = (struct rec_step){ .thread = 0, .kind = EV_YIELD };
	assert_int_equal(recording_preemptions(r), 1);
	recording_free(r);
	r = sample_new();
	r->settings.model = MODEL_TSO;
	sample_range(r, 1, "x", 0x404004, 4);
	sample_store(r, 0, 1, PLACE_ALL, 1);
	sample_step(r, 0, EV_LOAD, 1, 0, NULL, NULL, 0);
	sample_update(r, 0, 1, PLACE_ALL, 0);
	sample_step(r, 0, EV_LOAD, 1, 0, NULL, NULL, 0);
	assert_int_equal(recording_preemptions(r), 0);
	recording_free(r);
}

/* Stores of x in the order 1, 4, 2 and 6, as their results say: the store of step 4 is placed before an older one. The
   store of y, and the compare-and-swap that fails, are not in it. */
static void test_overwritten(void **state)
{
	static const struct {
		uint8_t kind, flags;
		int32_t result;
		object_id object;
	} steps[] = {
		{ EV_STORE, 0, 0, 1 },
		{ EV_STORE, 0, 1, 1 },
		{ EV_STORE, 0, 0, 2 },
		{ EV_STORE, 0, 1, 1 },
		{ EV_RMW, EVF_FAILED, 1, 1 },
		{ EV_RMW, 0, 2, 1 },
		{ EV_LOAD, 0, 0, 1 },
	};
	static const size_t next[] = { 0, 3, 5, NO_STEP, 1, NO_STEP, NO_STEP }; /* by the step that is read */
	struct recording *r = sample_new();
	struct rec_step *load;

	sample_range(r, 1, "x", 0x404004, 4);
	sample_range(r, 2, "y", 0x40400c, 4);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		load = sample_step(r, 0, steps[i].kind, steps[i].object, 0, "f", "a.c", 10);
		load->flags = EVF_ATOMIC | steps[i].flags;
		load->result = steps[i].result;
	}
	for (size_t i = 0; i < sizeof(next) / sizeof(next[0]); i++) {
		load->result = (int32_t)i;
		if (rec_step_overwritten(r, r->n_steps - 1) != next[i])
			fail_msg("the store of step %zu is not overwritten by that of index %zu", i, next[i]);
	}
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overwritten),
		cmocka_unit_test(test_preemptions),
		cmocka_unit_test(test_preemption_of_a_waiter),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_preemptions_with_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
