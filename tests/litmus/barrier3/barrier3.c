/* One trace for each thread that may arrive last. The order in which the others arrive, and in which all leave, makes no difference. */
#include "../litmus.h"

static pthread_barrier_t b;

T(p)
{
	pthread_barrier_wait(&b);
	return NULL;
}

int main(void)
{
	pthread_barrier_init(&b, NULL, 3);
	RUN(p, p, p);
	return 0;
}
