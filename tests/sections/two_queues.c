/* Two queues under one lock: two threads put into each. */
#include "sections.h"
static A length[2], entry[2][4];

T(puts)
{
	int r_ = 0, q = ME % 2, n;
	LOCK(m);
	n = LD(length[q]);
	U(n);
	ST(entry[q][n], ME + 1);
	ST(length[q], n + 1);
	UNLOCK(m);
	END;
}

RUN(4, puts)
