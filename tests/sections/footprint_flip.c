/* The data that a section accesses depend on what another one wrote. */
#include "sections.h"
static A f, c[3];

T(flips)
{
	int r_ = 0;
	LOCK(m);
	ST(f, 1);
	UNLOCK(m);
	END;
}

static void write_at(int from, int *sum)
{
	int r_ = *sum, v;
	LOCK(m);
	v = LD(f);
	U(v);
	ST(c[v + from], 1);
	UNLOCK(m);
	*sum = r_;
}

T(low) { int r_ = 0; write_at(0, &r_); END; }
T(high) { int r_ = 0; write_at(1, &r_); END; }

RUN3(flips, low, high)
