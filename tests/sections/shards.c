/* One lock, and a counter for each of three threads, which it changes R times. */
#include "sections.h"
static A c[3];

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

RUN(3, worker)
