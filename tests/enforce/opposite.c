/* Two locks, taken in opposite orders. */
#include "window.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *ab(void *p)
{
	pthread_mutex_lock(&a);
	window(1);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return p;
}
static void *ba(void *p)
{
	pthread_mutex_lock(&b);
	window(1);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return p;
}
int main(void) { return run_two(ab, ba); }
