/* The JSON of `simul show`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>

#include "recorder/json/report_json.h"
#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_report.h"

static const char *string_at(json_t *o, const char *object, const char *key)
{
	return json_string_value(json_object_get(json_object_get(o, object), key));
}

static void test_json(void **state)
{
	struct recording *r = sample_assert();
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_t *o, *step;

	assert_int_equal(report_json(f, r), 0);
	fclose(f);
	o = json_loads(text, 0, NULL);
	assert_non_null(o);
	assert_int_equal(json_integer_value(json_object_get(o, "schema")), 1);
	assert_string_equal(string_at(o, "failure", "kind"), "assert");
	assert_string_equal(string_at(o, "failure", "thread"), "T0.1");
	assert_string_equal(string_at(o, "program", "path"), "/home/ann/bank_test");
	assert_int_equal(json_array_size(json_object_get(o, "schedule")), 6);
	step = json_array_get(json_object_get(o, "schedule"), 4);
	assert_string_equal(json_string_value(json_object_get(step, "text")), "trylock mutex#1 → EBUSY");
	assert_string_equal(json_string_value(json_object_get(step, "where")), "bank.c:15");
	assert_true(json_is_true(json_object_get(step, "failed")));
	json_decref(o);
	free(text);
	recording_free(r);
}

static void test_json_stores(void **state)
{
	struct recording *r = sample_tso();
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_t *o, *steps, *s;

	assert_int_equal(report_json(f, r), 0);
	fclose(f);
	o = json_loads(text, 0, NULL);
	assert_non_null(o);
	assert_string_equal(string_at(o, "options", "model"), "tso");
	steps = json_object_get(o, "schedule");
	s = json_array_get(steps, 2);
	assert_true(json_is_true(json_object_get(s, "buffered")));
	assert_null(json_object_get(s, "update_of"));
	s = json_array_get(steps, 8);
	assert_int_equal(json_integer_value(json_object_get(s, "update_of")), 3);
	assert_string_equal(json_string_value(json_object_get(s, "thread")), "T0.1");
	assert_string_equal(json_string_value(json_object_get(s, "text")), "x reaches memory (step 3)");
	assert_null(json_object_get(s, "buffered"));
	s = json_array_get(steps, 5);
	assert_true(json_is_true(json_object_get(s, "forwarded")));
	assert_true(json_is_false(json_object_get(s, "failed")));
	assert_null(json_object_get(json_array_get(steps, 6), "forwarded"));
	json_decref(o);
	free(text);
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_stores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
