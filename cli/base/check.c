/* check_failed for the command simul (base/check.h): reports a failed invariant and exits. libsimul.so has its own. */
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
	fputs("\nThis is a bug in simul, not in your program. Please report it with the command line.\n",
		stderr);
	/* No process is left behind: the kernel kills the target when simul ends (parent-death signal). */
	exit(SIMUL_EXIT_INTERNAL);
}
