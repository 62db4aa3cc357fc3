/* Two threads add, one reads: 4 traces, by the set of additions that come before the read. Additions that did not commute would make 6. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int n;
static int seen;

T(p)
{
	n++;
	return NULL;
}

T(q)
{
	seen = n;
	return NULL;
}

int main(void)
{
	RUN(p, p, q);
	return 0;
}
