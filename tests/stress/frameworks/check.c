#include <check.h>
#include <stdlib.h>
#include "count.h"

START_TEST(counts_locked)
{
	ck_assert_int_eq(count(with_lock), 2);
}
END_TEST
START_TEST(counts_unlocked)
{
	ck_assert_int_eq(count(without_lock), 2);
}
END_TEST
START_TEST(nothing)
{
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("a & b");
	TCase *locked = tcase_create("<locked>"), *unlocked = tcase_create("unlocked");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, locked);
	suite_add_tcase(suite, unlocked);
	tcase_add_test(locked, counts_locked);
	tcase_add_test(locked, nothing);
	tcase_add_test(unlocked, counts_unlocked);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
