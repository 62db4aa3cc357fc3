/* The last store to a variable in a frame that has ended still waits in the store buffer while other code uses the same bytes; here it is the code
 * that ends the thread. When simul hid the buffer, that code found old bytes: a crash, a misuse or an internal error, depending on K.
 * build: gcc -g -O1 -pthread -DK=5
 * build: gcc -g -O1 -pthread -DK=8
 * build: gcc -g -O1 -pthread -DK=14
 * check: complete traces=1 : --model tso
 * long: complete traces=1 : --model pso --strategy optimal
 */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_long *) where;

static void *owner(void *unused)
{
	atomic_long local[24];

	atomic_init(&local[K], 0);
	atomic_store(&where, &local[K]);
	while (atomic_load_explicit(&local[K], memory_order_acquire) != 1)
		;
	atomic_store_explicit(&local[K], 2, memory_order_relaxed);
	return unused;
}

static void *other(void *unused)
{
	atomic_long *p;

	while (!(p = atomic_load(&where)))
		;
	atomic_store_explicit(p, 1, memory_order_release);
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
