/* Two threads add to one number, argv[1] and argv[2] times. With a third argument the first one takes a lock before. */
#include "window.h"
static int number, rounds[2], locks;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void add(int times)
{
	for (int i = 0; i < times; i++)
		__atomic_fetch_add(&number, 1, __ATOMIC_SEQ_CST);
}

static void *a(void *p)
{
	if (locks)
		pthread_mutex_lock(&m);
	add(rounds[0]);
	return p;
}

static void *b(void *p)
{
	add(rounds[1]);
	return p;
}

int main(int argc, char **argv)
{
	rounds[0] = atoi(argv[1]);
	rounds[1] = atoi(argv[2]);
	locks = argc > 3;
	run_two(a, b);
	assert(number == rounds[0] + rounds[1]);
	return 0;
}
