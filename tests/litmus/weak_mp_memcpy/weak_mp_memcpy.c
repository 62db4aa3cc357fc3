/* weak_mp; the data are 48 bytes. */
#include <string.h>

#include "../weak.h"

static volatile size_t size = 48; /* volatile, so that the compiler emits calls */
static char from[48] = "words", shared[48], to[48];
static atomic_int flag;
static int a;

T(p)
{
	memcpy(shared, from, size);
	ST(flag, 1);
	return NULL;
}

T(q)
{
	a = LD(flag);
	memcpy(to, shared, size);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 1 && to[0] == 0;
}
