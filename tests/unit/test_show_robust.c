/* The output of `simul show` about a missing fence: the cycle of a hand-made recording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/json/report_json.h"
#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_report.h"

static void add_cycle(struct recording *r, const struct rec_cycle *c, size_t n)
{
	r->failure.kind = BUG_ROBUSTNESS;
	free(r->failure.cycle);
	r->failure.cycle = calloc(n, sizeof(*c));
	memcpy(r->failure.cycle, c, n * sizeof(*c));
	r->failure.n_cycle = n;
	free(r->failure.message);
	r->failure.message = strdup("this execution is impossible under sequential consistency");
}

/* Checks the text about the cycle. Takes ownership of r. */
static void expect_cycle(struct recording *r, const char *expected)
{
	char *text = report_to_text(report_show, r, (struct report_options){ .width = 160 }), *end;
	const char *at = strstr(text, "  Each of these steps");

	assert_non_null(at);
	end = strstr(at, "\n  Here stores");
	end = end ? end : strstr(at, "\n\n");
	if (end)
		end[1] = '\0';
	if (strcmp(at, expected) != 0)
		fail_msg("this was printed:\n%s", at);
	free(text);
	recording_free(r);
}

static void test_robust(void **state)
{
	static const struct rec_cycle c[] = { { 2, ROBUST_DELAYED }, { 3, ROBUST_BEFORE }, { 4, ROBUST_DELAYED }, { 6, ROBUST_BEFORE } };
	struct recording *r = sample_tso();
	char *text;

	add_cycle(r, c, 4);
	text = report_to_text(report_bug_summary, r, (struct report_options){ .width = 100 });
	assert_ptr_equal(strstr(text, "NOT ROBUST in ./bank_test --fast\n"), text);
	assert_non_null(strstr(text, "\n✗  3 │"));
	assert_non_null(strstr(text, "\n✗  5 │"));
	assert_null(strstr(text, "\n✗ 12 │"));
	assert_non_null(strstr(text, "   ✗ on the cycle\n"));
	free(text);
	expect_cycle(r,
		"  Each of these steps comes before the next one, and the last one before the first. Without store buffers this is "
		"impossible:\n"
		"    T0.1  step 3  store x  weak.c:10  first in the program, but in memory only at step 9\n"
		"    T0.1  step 4  load y   weak.c:11  did not see T0.2's store\n"
		"    T0.2  step 5  store y  weak.c:20  first in the program, but in memory only at step 8\n"
		"    T0.2  step 7  load x   weak.c:22  did not see T0.1's store\n"
		"  A full fence in each of these places makes it impossible (atomic_thread_fence(memory_order_seq_cst), mfence):\n"
		"    between weak.c:10 and weak.c:11, in T0.1\n"
		"    between weak.c:20 and weak.c:22, in T0.2\n");
}

/* Other reasons and other advice: threads at the same places, stores that arrived in time, a store that overtakes another. */
static void test_robust_words(void **state)
{
	static const struct rec_cycle c[] = { { 2, ROBUST_LOOSE }, { 3, ROBUST_BEFORE }, { 4, ROBUST_DELAYED }, { 6, ROBUST_BEFORE },
		{ 0, ROBUST_BEFORE }, { 9, ROBUST_ORDER } };
	struct recording *r = sample_tso();

	for (size_t i = 4; i < 7; i += 2) { /* the second thread runs the same code */
		rec_stack_free(&r->steps[i].stack);
		r->steps[i].stack = rec_stack_copy(&r->steps[i == 4 ? 2 : 3].stack);
	}
	add_cycle(r, c, 6);
	expect_cycle(r,
		"  Each of these steps comes before the next one, and the last one before the first. Without store buffers this is "
		"impossible:\n"
		"    T0.1  step  3  store x      weak.c:10  first in the program\n"
		"    T0.1  step  4  load y       weak.c:11  did not see T0.2's store\n"
		"    T0.2  step  5  store y      weak.c:10  first in the program, but in memory only at step 8\n"
		"    T0.2  step  7  load x       weak.c:11  before T0's create\n"
		"    T0    step  1  create T0.1  weak.c:30  before T0.1's thread-exit\n"
		"    T0.1  step 10  thread-exit             first in the program\n"
		"  A full fence in each of these places makes it impossible (atomic_thread_fence(memory_order_seq_cst), mfence):\n"
		"    between weak.c:10 and weak.c:11, in T0.1, T0.2\n");
}

static void test_robust_in_time(void **state)
{
	static const struct rec_cycle c[] = { { 2, ROBUST_LOOSE }, { 3, ROBUST_BEFORE }, { 4, ROBUST_DELAYED }, { 6, ROBUST_BEFORE } };
	struct recording *r = sample_tso();

	add_cycle(r, c, 4);
	expect_cycle(r,
		"  Each of these steps comes before the next one, and the last one before the first. Without store buffers this is "
		"impossible:\n"
		"    T0.1  step 3  store x  weak.c:10  first in the program\n"
		"    T0.1  step 4  load y   weak.c:11  did not see T0.2's store\n"
		"    T0.2  step 5  store y  weak.c:20  first in the program, but in memory only at step 8\n"
		"    T0.2  step 7  load x   weak.c:22  did not see T0.1's store\n"
		"  A full fence in each of these places makes it impossible (atomic_thread_fence(memory_order_seq_cst), mfence):\n"
		"    between weak.c:10 and weak.c:11, in T0.1, unless there is one already: here the store reached memory in time\n"
		"    between weak.c:20 and weak.c:22, in T0.2\n");
}

static void test_robust_overtaken(void **state)
{
	static const struct rec_cycle c[] = { { 2, ROBUST_DELAYED }, { 3, ROBUST_BEFORE }, { 5, ROBUST_ORDER }, { 6, ROBUST_BEFORE } };
	struct recording *r = sample_pso(0);

	add_cycle(r, c, 4);
	expect_cycle(r,
		"  Each of these steps comes before the next one, and the last one before the first. Without store buffers this is "
		"impossible:\n"
		"    T0.1  step 3  store data   weak.c:10  first in the program, but in memory later\n"
		"    T0.1  step 4  store ready  weak.c:11  in memory before T0.2's load\n"
		"    T0.2  step 6  load ready   weak.c:20  first in the program\n"
		"    T0.2  step 7  load data    weak.c:21  did not see T0.1's store\n"
		"  A full fence here makes it impossible (atomic_thread_fence(memory_order_seq_cst), mfence):\n"
		"    between weak.c:10 and weak.c:11 (here a release fence is enough, or a store with release order at the second), in T0.1\n");
}

static void test_json_robust(void **state)
{
	static const struct rec_cycle c[] = { { 2, ROBUST_DELAYED }, { 3, ROBUST_BEFORE } };
	struct recording *r = sample_tso();
	char *json = NULL;
	size_t size;
	FILE *f = open_memstream(&json, &size);
	json_t *o, *list;

	add_cycle(r, c, 2);
	assert_int_equal(report_json(f, r), 0);
	fclose(f);
	o = json_loads(json, 0, NULL);
	assert_non_null(o);
	list = json_object_get(json_object_get(o, "failure"), "cycle");
	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 0), "step")), 3);
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "next")), "delayed");
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "next")), "before");
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "where")), "weak.c:11");
	json_decref(o);
	free(json);
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_robust),
		cmocka_unit_test(test_robust_in_time),
		cmocka_unit_test(test_robust_overtaken),
		cmocka_unit_test(test_json_robust),
		cmocka_unit_test(test_robust_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
