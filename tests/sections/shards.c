/* One lock, and a counter for each of THREADS threads, which it changes R times. */
#include "sections.h"
static A c[THREADS];

T(worker)
{
	int r_ = 0;
	for (int k = 0; k < R; k++) {
		LOCK(m);
		ADD(c[ME], 1);
		UNLOCK(m);
	}
	END;
}

RUN(THREADS, worker)
