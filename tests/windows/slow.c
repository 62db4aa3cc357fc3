/* An execution takes long: threads compute without accesses to memory, between a thousand operations.
 * With FAILS, each execution fails at its end. */
#include "two_threads.h"
#ifndef ROUNDS
#define ROUNDS 1000
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void compute(void)
{
	for (long i = 0; i < 30000000; i++)
		__asm__ volatile("");
}
static void *work(void *u)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		n++;
		pthread_mutex_unlock(&mutex);
		compute();
	}
	return 0;
}
int main(void)
{
	run_two(work);
#ifdef FAILS
	return 1;
#endif
	return 0;
}
