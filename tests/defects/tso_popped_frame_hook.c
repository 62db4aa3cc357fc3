/* Like tso_popped_frame.c, but the thread continues after the frame has ended. The next call keeps data that simul needs in bytes that wait in the
 * buffer.
 * build: gcc -g -O1 -pthread -DK=44
 * build: gcc -g -O1 -pthread -DK=45
 * build: gcc -g -O1 -pthread -DK=53
 * build: gcc -g -O1 -pthread -DK=54
 * check: complete traces=2 : --model tso
 * long: complete traces=2 : --model pso --strategy optimal
 */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_long *) where;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) void child(void)
{
	atomic_long local[64];

	atomic_init(&local[K], 0);
	atomic_store(&where, &local[K]);
	while (atomic_load_explicit(&local[K], memory_order_acquire) != 1)
		;
	atomic_store_explicit(&local[K], 2, memory_order_relaxed);
}

static void *owner(void *unused)
{
	child();
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *other(void *unused)
{
	atomic_long *p;

	while (!(p = atomic_load(&where)))
		;
	atomic_store_explicit(p, 1, memory_order_release);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
