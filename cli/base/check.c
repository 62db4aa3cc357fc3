/* The command's end of base/check.h: a failed invariant of simul itself. */
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/exit_codes.h"

void check_failed(const char *file, int line, const char *expr, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "simul: internal error at %s:%d (%s): ", file, line, expr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\nThis is a fault of simul, not of your program. Please report it with the command line.\n",
		stderr);
	/* The target dies with us (parent-death signal); nothing else is left behind. */
	exit(SIMUL_EXIT_INTERNAL);
}
