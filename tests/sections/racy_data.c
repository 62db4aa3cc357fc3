/* A variable is written before a section and read after another one. The sections are disjoint, so both orders of the accesses stay. */
#include "sections.h"
static A x, c[2];

T(writes)
{
	int r_ = 0;
	ST(x, 1);
	LOCK(m);
	ST(c[0], 1);
	UNLOCK(m);
	END;
}

T(reads)
{
	int r_ = 0;
	LOCK(m);
	ST(c[1], 1);
	UNLOCK(m);
	U(LD(x));
	END;
}

RUN2(writes, reads)
