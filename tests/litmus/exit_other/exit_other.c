/*
 * A thread calls exit(0) while main waits for it and another thread takes a lock that main took before: main's section and that of the other thread come in
 * either order, and the exit after both: 2 traces.
 */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

T(p)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

T(q)
{
	exit(0);
}

int main(void)
{
	pthread_t t[2];

	CHECK(pthread_create(&t[0], NULL, p, NULL));
	CHECK(pthread_create(&t[1], NULL, q, NULL));
	p(NULL);
	CHECK(pthread_join(t[1], NULL));
	return 0;
}
