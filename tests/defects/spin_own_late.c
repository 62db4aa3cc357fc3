/* A flag of the spinning thread becomes shared late: only a rare interleaving of two other threads writes it. The number of traces must not depend
 * on the value of the flag while the thread spins. With an argument the rare path fails an assertion.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -pthread -DINIT=5
 * check: complete traces=73 : --jobs 1 --strategy optimal
 * check: bug kind=assert traces=78 : --jobs 1 --strategy optimal --keep-going -- bug
 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#ifndef INIT
#define INIT 0
#endif
#ifndef K
#define K 4
#endif
static int fails;
static atomic_int takeover, s, gate;
static _Atomic(atomic_int *) where;
static void *spinner(void *u)
{
	atomic_int done;
	atomic_init(&done, INIT);
	atomic_store(&where, &done);
	while (atomic_load_explicit(&done, memory_order_acquire) == INIT)
		if (atomic_load_explicit(&takeover, memory_order_relaxed))
			break;
	atomic_store(&s, 1);
	return 0;
}
static void *setter(void *u)
{
	atomic_int *w;
	int rare = 1;
	for (int i = 0; i < K; i++)
		if (atomic_fetch_add(&gate, 1) != 2 * i) rare = 0;
	if (rare && (w = atomic_load(&where)))
		atomic_store_explicit(w, INIT + 1, memory_order_release);
	return 0;
}
static void *noise(void *u)
{
	for (int i = 0; i < K; i++)
		atomic_fetch_add(&gate, 1);
	int bad = atomic_load(&s);
	atomic_store(&takeover, 1);
	assert(!bad || !fails);
	return 0;
}
int main(int argc, char **argv)
{
	fails = argc > 1;
	pthread_t t[3];
	pthread_create(&t[0], 0, spinner, 0);
	pthread_create(&t[1], 0, setter, 0);
	pthread_create(&t[2], 0, noise, 0);
	for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
	return 0;
}
