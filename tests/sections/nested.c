/* An outer and an inner lock. SAME: the threads change the same variable, else each its own. */
#include "sections.h"
static A c[3];

T(worker)
{
	int r_ = 0;
#ifdef SAME
	int mine = 0;
	(void)arg;
#else
	int mine = ME;
#endif
	LOCK(a);
	LOCK(b);
	ADD(c[mine], 1);
	UNLOCK(b);
	UNLOCK(a);
	END;
}

RUN(3, worker)
