/*
 * Like spin_flag, with a flag that is not atomic, and two readers that yield and sleep between reads. No other thread can observe when they
 * read. One trace.
 */
#include <sched.h>
#include <unistd.h>

#include "../litmus.h"

static volatile int flag;
static int seen[2];

T(p)
{
	flag = 42;
	return NULL;
}

T(q)
{
	while (!flag)
		sched_yield();
	seen[0] = flag;
	return NULL;
}

T(r)
{
	while (!flag)
		usleep(100);
	seen[1] = flag;
	return NULL;
}

int main(void)
{
	RUN(p, q, r);
	return seen[0] != 42 || seen[1] != 42;
}
