/* Its threads count to N, or to 1. It sets the variable OWN itself before it reads it. */
#include "window.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, most;
static void *work(void *p)
{
	pthread_mutex_lock(&m);
	count += most;
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	const char *n = getenv("N");
	pthread_t t[2];

	setenv("OWN", "value", 1);
	assert(getenv("OWN"));
	getenv("SECRET_TOKEN");
	most = n ? atoi(n) : 1;
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%d\n", count);
	return 0;
}
