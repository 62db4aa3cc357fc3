/* Each of two threads takes and drops a reference under a lock. */
#include "sections.h"
static A references = 1;

T(user)
{
	int r_ = 0;
	for (int n = 1; n >= -1; n -= 2) {
		LOCK(m);
		ADD(references, n);
		UNLOCK(m);
	}
	END;
}

RUN(2, user)
