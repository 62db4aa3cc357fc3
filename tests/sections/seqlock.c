/* A writer changes two atomics ROUNDS times, between two changes of a sequence number; READERS threads read all once, without the lock. */
#include "sections.h"
static A sequence, x, y;

T(worker)
{
	int r_ = 0, v;
	if (ME == 0) {
		for (int k = 0; k < ROUNDS; k++) {
			LOCK(m);
			v = LD(sequence);
			U(v);
			ST(sequence, v + 1);
			ST(x, v + 5);
			ST(y, v + 5);
			ST(sequence, v + 2);
			UNLOCK(m);
		}
	} else {
		A *const order[] = {&sequence, &x, &y, &sequence};
		for (int k = 0; k < 4; k++) {
			v = LD(*order[k]);
			U(v);
		}
	}
	END;
}

RUN(READERS + 1, worker)
