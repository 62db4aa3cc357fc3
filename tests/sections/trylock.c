/* Of three threads the first LOCKERS lock, the others try to. A thread that has the lock changes its own counter. */
#include "sections.h"
static A c[3];

T(worker)
{
	int r_ = 0, has;
	if (ME < LOCKERS) {
		LOCK(m);
		has = 1;
	} else {
		has = TRYLOCK(m);
		U(has);
	}
	if (has) {
		ADD(c[ME], 1);
		UNLOCK(m);
	}
	END;
}

RUN(3, worker)
