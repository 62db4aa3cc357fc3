/* weak_sb; p stores in the handler of a signal that it sends to itself. The buffer belongs to the thread: it outlives the handler. */
#include <signal.h>

#include "../weak.h"

static atomic_int x, y;
static int a, b;

static void handler(int sig)
{
	ST(x, 1);
}

T(p)
{
	raise(SIGUSR1);
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	b = LD(x);
	return NULL;
}

int main(void)
{
	signal(SIGUSR1, handler);
	RUN(p, q);
	return a == 0 && b == 0;
}
