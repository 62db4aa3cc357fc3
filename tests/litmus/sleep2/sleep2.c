/* Sleeping conflicts with nothing, so this is like lock2. */
#include <unistd.h>

#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

T(p)
{
	sleep(1);
	pthread_mutex_lock(&m);
	usleep(10);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return 0;
}
