/* Threads spin by exchange and by fetch_or on heap memory that no other thread has accessed yet, and write the value that is already there.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -pthread -DOR
 * check: complete : --jobs 1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *lock;
static void *waits(void *u)
{
#ifdef OR
	while (atomic_fetch_or(lock, 1) & 1)
#else
	while (atomic_exchange(lock, 1))
#endif
		;
	return 0;
}
static void *frees(void *u)
{
	atomic_store(lock, 0);
	return 0;
}
int main(void)
{
	pthread_t t[2];
	lock = malloc(sizeof *lock);
	atomic_init(lock, 1);
	pthread_create(&t[0], 0, waits, 0);
	pthread_create(&t[1], 0, frees, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
