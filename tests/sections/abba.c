/* One thread locks a, then b, the other one b, then a. Their data are disjoint, but a deadlock must be found. PRELUDE: each has a leaf section
   before. */
#include "sections.h"
static A c[4];

static void leaf(pthread_mutex_t *x, A *at)
{
#ifdef PRELUDE
	LOCK(*x);
	ST(*at, 1);
	UNLOCK(*x);
#else
	(void)x, (void)at;
#endif
}

T(p0)
{
	int r_ = 0;
	leaf(&a, &c[0]);
	LOCK(a);
	LOCK(b);
	ST(c[1], 1);
	UNLOCK(b);
	UNLOCK(a);
	END;
}

T(p1)
{
	int r_ = 0;
	leaf(&b, &c[2]);
	LOCK(b);
	LOCK(a);
	ST(c[3], 1);
	UNLOCK(a);
	UNLOCK(b);
	END;
}

RUN2(p0, p1)
