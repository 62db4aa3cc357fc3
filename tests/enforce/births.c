/* Two threads create threads at the same time. Each new thread must do what its creator asked for. WINDOW=N: each
   creates N threads. */
#include "window.h"

enum { MOST = 20000 };
static int started[2][MOST], each = 3;

static void *child(void *slot)
{
	__atomic_fetch_add((int *)slot, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void *creator(void *slots)
{
	pthread_t t;

	for (int i = 0; i < each; i++) {
		pthread_create(&t, NULL, child, (int *)slots + i);
		pthread_join(t, NULL);
	}
	return NULL;
}

static void *first(void *arg)
{
	return creator(started[0]);
}

static void *second(void *arg)
{
	return creator(started[1]);
}

int main(void)
{
	for (char **v = environ; *v; v++)
		if (!strncmp(*v, "WINDOW=", 7))
			each = atoi(*v + 7);
	run_two(first, second);
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < each; k++)
			if (started[i][k] != 1) {
				printf("thread %d of creator %d ran %d times\n", k, i, started[i][k]);
				return 1;
			}
	return 0;
}
