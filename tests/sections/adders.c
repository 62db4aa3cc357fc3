/* Three threads add to an atomic, and nobody uses what was there. The additions stay ordered. */
#include "sections.h"
static A total;

T(worker)
{
	int r_ = 0, old = atomic_fetch_add(&total, 1);
	U(old);
	END;
}

RUN(3, worker)
