/* A detached thread ends, and libc gives its handle to a thread that is created later but comes earlier in the order of names. */
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *a)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return a;
}
static void *detaches(void *a)
{
	pthread_t t;

	pthread_create(&t, NULL, run, NULL);
	pthread_detach(t);
	return run(a);
}
int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, detaches, NULL);
	window(1);
	pthread_create(&b, NULL, run, NULL);
	pthread_join(b, NULL);
	pthread_join(a, NULL);
	return run_two(run, run);
}
