/* Two threads drop a reference, and the last one sees that it is: `lock sub` and a jump that reads its flags. The additions do not commute: 2 traces. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int references = 2;
static int freed;

T(p)
{
	if (--references == 0)
		freed++;
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return freed != 1;
}
