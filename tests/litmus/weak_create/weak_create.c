/* weak_mp. The thread that stores the data creates another one, which stores the flag. Thread creation drains the buffer. */
#include "../weak.h"

static atomic_int data, flag;
static int a, b;

T(child)
{
	ST(flag, 1);
	return NULL;
}

T(p)
{
	pthread_t t;

	ST(data, 1);
	CHECK(pthread_create(&t, NULL, child, NULL));
	CHECK(pthread_join(t, NULL));
	return NULL;
}

T(q)
{
	a = LD(flag);
	b = LD(data);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 1 && b == 0;
}
