/* A lost update by a thread that has cancelled another one. In the certificate the cancellation is in the prefix, and
   the end of the cancelled thread after it. With ONCE that thread runs an initialiser. */
#include "lost_update.h"
static pthread_t sleeper;
static int end[2], cleaned;

static void clean(void *a)
{
	cleaned = 1;
}

static int made;
static pthread_once_t first = PTHREAD_ONCE_INIT;

static void make(void)
{
	made++;
}

static void sleep_for_ever(void)
{
	char c;

#ifdef ASYNCHRONOUS
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
#endif
	pthread_cleanup_push(clean, NULL);
	for (;;)
		if (read(end[0], &c, 1) == 1)
			abort();
	pthread_cleanup_pop(0);
}

static void *sleep_on(void *a)
{
#ifdef ONCE
	pthread_once(&first, sleep_for_ever);
#else
	sleep_for_ever();
#endif
	return a;
}

static void *one(void *a)
{
	assert(!pthread_cancel(sleeper));
	increment();
	return a;
}

static void *two(void *a)
{
	increment();
	return a;
}

int main(void)
{
	void *result;

	assert(!pipe(end));
	pthread_create(&sleeper, NULL, sleep_on, NULL);
	run_two(one, two);
	pthread_join(sleeper, &result);
	pthread_once(&first, make); /* the initialiser did not end */
	assert(result == PTHREAD_CANCELED && cleaned && made && n == 2);
	return 0;
}
