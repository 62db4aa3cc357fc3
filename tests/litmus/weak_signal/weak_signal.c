/* weak_sb; p looks in the handler of a signal that it sends to itself after its store. Nobody else has a part in that: nothing promises that the buffer is emptied. */
#include <signal.h>

#include "../weak.h"

static atomic_int x, y;
static int a, b;

static void handler(int sig)
{
	a = LD(y);
}

T(p)
{
	ST(x, 1);
	raise(SIGUSR1);
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
