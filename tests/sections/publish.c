/* Two threads publish a new version under a lock; two readers follow the pointer without it. */
#include "sections.h"
static A current, version[3];

T(worker)
{
	int r_ = 0, at;
	if (ME < 2) {
		LOCK(m);
		at = LD(current);
		U(at);
		ST(version[ME + 1], at + 1);
		ST(current, ME + 1);
		UNLOCK(m);
	} else {
		at = LD(current);
		U(at);
		at = LD(version[at]);
		U(at);
	}
	END;
}

RUN(4, worker)
