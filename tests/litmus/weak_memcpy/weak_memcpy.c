/* weak_sb; one of the stores is a memcpy of 48 bytes, which another memcpy reads. A call is one event. */
#include <string.h>

#include "../weak.h"

static volatile size_t size = 48; /* volatile, so that the compiler emits calls */
static char from[48] = "words", shared[48], to[48];
static atomic_int flag;
static int a;

T(p)
{
	memcpy(shared, from, size);
	a = LD(flag);
	return NULL;
}

T(q)
{
	ST(flag, 1);
	memcpy(to, shared, size);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	if (memcmp(shared, from, size) != 0)
		abort();
	return a == 0 && to[0] == 0;
}
