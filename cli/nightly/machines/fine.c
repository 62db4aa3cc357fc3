/* See fine.h. */
#include "cli/nightly/machines/fine.h"

#include <stdio.h>
#include <stdlib.h>

#define FINE_S 0.0002

bool fine_is(double seconds)
{
	const char *limit = getenv("SIMUL_TEST_FINE"); /* for tests, so that the speed of the machine decides nothing */

	return seconds < (limit ? strtod(limit, NULL) : FINE_S);
}

void fine_text(char *buf, size_t size, double seconds)
{
	snprintf(buf, size,
		"an execution takes %.2g ms at most, too little to be shared: more machines gain little or nothing; "
		"use one machine, with --jobs",
		seconds * 1000);
}
