/* Looks at the latch LOOKS times at most and counts, so that no round of the loop is like the one before. */
#include "pgsql.h"

#ifndef LOOKS
#define LOOKS 4
#endif

static int wait_latch(int me)
{
	for (int n = 0; n < LOOKS; n++)
		if (LD(latch[me]))
			return 1;
	return 0;
}
