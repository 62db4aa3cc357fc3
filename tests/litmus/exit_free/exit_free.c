/*
 * main returns while two threads take a lock twice each. The process ends when nothing else can happen, so the traces are those of a program that
 * joins the threads, the orders of four sections of two threads: 4 choose 2 = 6.
 */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

T(p)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, p, NULL));
	CHECK(pthread_create(&t, NULL, p, NULL));
	return 0;
}
