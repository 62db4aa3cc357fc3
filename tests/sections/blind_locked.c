/* Three threads write a flag twice under a lock. Nobody reads it. */
#include "sections.h"
static A x;

T(writer)
{
	int r_ = 0;
	for (int k = 1; k <= 2; k++) {
		LOCK(m);
		ST(x, k);
		UNLOCK(m);
	}
	END;
}

RUN(3, writer)
