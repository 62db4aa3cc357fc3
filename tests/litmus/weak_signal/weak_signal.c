/* weak_sb; p loads in the handler of a signal that it sends to itself after its store. The signal goes through the kernel, which empties the
   buffer: as with a fence there, and none in the other thread, the outcome is still possible only when that one's store is late. */
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
