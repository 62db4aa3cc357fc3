/* With FILTER=TEXT in the environment, only tests whose names contain TEXT run. Linked into every unit test program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void filter_tests(void)
{
	static char pattern[200];
	const char *text = getenv("FILTER");

	if (!text || !*text)
		return;
	snprintf(pattern, sizeof(pattern), "*%s*", text);
	cmocka_set_test_filter(pattern);
}
