/* Two locks taken in opposite order, by compare-and-swap loops. This is a real livelock, which simul once could not confirm.
 * check: bug kind=livelock replays=100 : --jobs 1 --strategy optimal
 * long: bug kind=livelock replays=10 : --jobs 1 --model tso
 * long: bug kind=livelock replays=10 : --jobs 1 --isolation exec
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int l1, l2;
static void lock(atomic_int *l) { int r = 0; while (!atomic_compare_exchange_strong(l, &r, 1)) r = 0; }
static void unlock(atomic_int *l) { atomic_store(l, 0); }
static void *a(void *u) { lock(&l1); lock(&l2); unlock(&l2); unlock(&l1); return 0; }
static void *b(void *u) { lock(&l2); lock(&l1); unlock(&l1); unlock(&l2); return 0; }
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, a, 0);
	pthread_create(&t[1], 0, b, 0);
	pthread_join(t[0], 0); pthread_join(t[1], 0);
	return 0;
}
