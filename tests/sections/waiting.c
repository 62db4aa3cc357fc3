/*
 * A producer changes its statistics in one section and makes an item in another. A consumer waits for the item.
 * A wait on a condition ends its step, and being woken begins one, so that the order with the statistics does not count.
 */
#include "sections.h"
static A items, statistics;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;

T(worker)
{
	int r_ = 0, n;
	if (ME == 0) {
		LOCK(m);
		ADD(statistics, 1);
		UNLOCK(m);
		LOCK(m);
		ADD(items, 1);
		pthread_cond_signal(&cv);
		UNLOCK(m);
	} else {
		LOCK(m);
		while (n = LD(items), n < 1) {
			U(n);
			pthread_cond_wait(&cv, &m);
		}
		U(n);
		UNLOCK(m);
	}
	END;
}

RUN(2, worker)
