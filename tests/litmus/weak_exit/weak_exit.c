/*
 * weak_mp. One thread stores the data and ends; another one joins it and stores the flag. A thread does not end before its buffer is empty.
 */
#include "../weak.h"

static atomic_int data, flag;
static int a, b;

T(p)
{
	ST(data, 1);
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
	pthread_t t[2];

	CHECK(pthread_create(&t[0], NULL, p, NULL));
	CHECK(pthread_create(&t[1], NULL, q, NULL));
	CHECK(pthread_join(t[0], NULL));
	ST(flag, 1);
	CHECK(pthread_join(t[1], NULL));
	return a == 1 && b == 0;
}
