#include "pgsql.h"

static int wait_latch(int me)
{
	while (!LD(latch[me]))
		;
	return 1;
}
