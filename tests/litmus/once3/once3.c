/* One trace for each thread that may run the initializer. The other two only see that it is done. */
#include "../litmus.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void)
{
}

T(p)
{
	pthread_once(&once, init);
	return NULL;
}

int main(void)
{
	RUN(p, p, p);
	return 0;
}
