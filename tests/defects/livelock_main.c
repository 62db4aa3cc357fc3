/* The same livelock as in livelock_unconfirmed.c, with main as one of the threads, and locks taken by exchange, fetch_or and compare-and-swap.
 * build: gcc -g -O1 -pthread -DTAKE=0
 * build: gcc -g -O2 -fstack-protector-all -pthread -DTAKE=1
 * build: gcc -g -O0 -pthread -DTAKE=2
 * check: bug kind=livelock replays=20 : --jobs 1
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int l1, l2;
static void lock(atomic_int *l)
{
#if TAKE == 0
	int r = 0;
	while (!atomic_compare_exchange_weak(l, &r, 1))
		r = 0;
#elif TAKE == 1
	while (atomic_exchange(l, 1))
		;
#else
	while (atomic_fetch_or(l, 1) & 1)
		;
#endif
}
static void unlock(atomic_int *l)
{
	atomic_store(l, 0);
}
static void *other(void *u)
{
	lock(&l2);
	lock(&l1);
	unlock(&l1);
	unlock(&l2);
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	lock(&l1);
	lock(&l2);
	unlock(&l2);
	unlock(&l1);
	pthread_join(t, 0);
	return 0;
}
