/* In unit tests a failed INVARIANT prints its message and aborts. That fails the test. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"

void check_failed(const char *file, int line, const char *expr, const char *fmt, ...)
{
	va_list ap;
	fprintf(stderr, "%s:%d: %s: ", file, line, expr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
