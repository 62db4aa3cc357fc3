/* One thread waits for another through a pipe, or is cancelled. Then main and the thread take a lock. argv[1]: pipe, cancel. */
#include "window.h"
static int end[2];
static char what;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *a)
{
	char c;

	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	if (what == 'p')
		assert(read(end[0], &c, 1) == 1);
	for (int i = 0; what == 'c' && i < 2; i++)
		pthread_testcancel();
	return a;
}

int main(int argc, char **argv)
{
	pthread_t t;
	void *result;

	what = argv[1][0];
	assert(!pipe(end));
	pthread_create(&t, NULL, work, NULL);
	if (what == 'p')
		assert(write(end[1], "x", 1) == 1);
	else
		assert(!pthread_cancel(t));
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(t, &result);
	assert(what == 'p' ? !result : !result || result == PTHREAD_CANCELED);
	return 0;
}
