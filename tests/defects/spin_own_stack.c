/* A thread spins on a flag in its own frame that other threads set. simul compared a state from before the flag became shared with a later one: it
 * reported livelock in 2 of 4 traces when the flag starts with 0, and none when it starts with 5.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O1 -pthread -DINIT=5
 * check: complete traces=1 : --jobs 1 --strategy optimal --keep-going
 */
#ifndef INIT
#define INIT 0
#endif
#include <pthread.h>
#include <stdatomic.h>
static atomic_int takeover;
static _Atomic(atomic_int *) where[3];
static void *spinner(void *u)
{
	long i = (long)u;
	atomic_int done;
	atomic_init(&done, INIT);
	atomic_store(&where[i], &done);
	while (atomic_load_explicit(&done, memory_order_acquire) == INIT)
		if (atomic_load_explicit(&takeover, memory_order_relaxed) && atomic_exchange(&takeover, 0))
			break;
	return 0;
}
static void *setter(void *u)
{
	atomic_int *w;
	while (!(w = atomic_load(&where[(long)u])))
		;
	atomic_store_explicit(w, INIT + 1, memory_order_release);
	return 0;
}
int main(void)
{
	pthread_t t[6];
	for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, spinner, (void *)i);
	for (long i = 0; i < 2; i++) pthread_create(&t[2 + i], 0, setter, (void *)i);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	return 0;
}
