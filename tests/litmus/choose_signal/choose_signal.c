/*
 * One of two values, and a signal whose handler does nothing. The signal is sent before the thread starts, before it chooses, before it ends
 * or later: 4 places. In the first two its handler runs before the thread chooses, after that, or not at all; in the third it runs before the
 * thread ends, or not at all: 2 * 3 + 2 + 1 ways, each with 2 values. 18.
 */
#include "simul.h"

#include "../litmus.h"

#include <signal.h>

static void nothing(int unused) { (void)unused; }

T(p)
{
	simul_choose(2);
	return arg;
}

int main(void)
{
	pthread_t t;

	signal(SIGUSR1, nothing);
	CHECK(pthread_create(&t, NULL, p, NULL));
	pthread_kill(t, SIGUSR1);
	CHECK(pthread_join(t, NULL));
	return 0;
}
