/* Threads that only create and join each other have one trace. */
#include "../litmus.h"

T(leaf)
{
	return NULL;
}

T(p)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, leaf, NULL));
	CHECK(pthread_join(t, NULL));
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return 0;
}
