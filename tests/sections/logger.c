/* Each of THREADS workers writes an atomic of its own and appends to a log under a lock. */
#include "sections.h"
static A position, entry[8], done[THREADS];

T(worker)
{
	int r_ = 0, at;
	ST(done[ME], 1);
	LOCK(m);
	at = LD(position);
	U(at);
	ST(entry[at], ME + 1);
	ST(position, at + 1);
	UNLOCK(m);
	END;
}

RUN(THREADS, worker)
