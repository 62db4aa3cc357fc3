/* One-time initialisation by the thread that comes first, and a counter that is read and written in two steps. */
#include "window.h"
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made, total;
static void make(void)
{
	window(1);
	made++;
}
static void *work(void *a)
{
	int n;

	pthread_once(&once, make);
	pthread_mutex_lock(&lock);
	n = total;
	pthread_mutex_unlock(&lock);
	window(1);
	pthread_mutex_lock(&lock);
	total = n + made;
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void)
{
	run_two(work, work);
	assert(made == 1 && total == 2);
	return 0;
}
