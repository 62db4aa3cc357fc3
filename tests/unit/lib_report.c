#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/lib_report.h"

char *report_to_text(reporter report, const struct recording *r, struct report_options o)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	report(f, r, &o);
	assert_int_equal(fclose(f), 0);
	return text;
}
