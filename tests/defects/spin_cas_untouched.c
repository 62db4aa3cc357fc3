/* A thread spins by compare-and-swap on memory that no other thread has accessed yet, because the writer has not started. The first execution did
 * not end, or was reported as a hang.
 * check: complete traces=1 : --jobs 1
 * long: complete traces=1 : --jobs 1 --hang-timeout 1s
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *spin(void *u)
{
	int r = 1;
	while (!atomic_compare_exchange_strong(&x, &r, 42))
		r = 1;
	return 0;
}
static void *set(void *u)
{
	atomic_store(&x, 1);
	return 0;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, spin, 0);
	pthread_create(&t[1], 0, set, 0);
	pthread_join(t[0], 0); pthread_join(t[1], 0);
	return 0;
}
