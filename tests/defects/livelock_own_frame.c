/* A thread spins on two variables, one of them in its own frame. The other thread's write to the frame was no event yet when simul checked for a
 * livelock, and it was none in replays either: "livelock, confirmed 3 of 3". The program has no livelock.
 * check: complete traces=2 : --jobs 1
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int takeover;
static _Atomic(atomic_int *) where;
static void *spinner(void *u)
{
	atomic_int done;
	atomic_init(&done, 0);
	atomic_store(&where, &done);
	while (!atomic_load_explicit(&done, memory_order_acquire))
		if (atomic_load_explicit(&takeover, memory_order_relaxed))
			break;
	return 0;
}
static void *setter(void *u)
{
	atomic_int *w = atomic_load(&where);
	if (w)
		atomic_store_explicit(w, 1, memory_order_release);
	else
		atomic_store_explicit(&takeover, 1, memory_order_release);
	return 0;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, spinner, 0);
	pthread_create(&t[1], 0, setter, 0);
	for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
	return 0;
}
