/* Heap blocks are freed and allocated again while stores to them wait in the buffer. The contents of a block must not change, and the heap must stay
 * intact.
 * check: complete traces=4 : --model tso --strategy optimal
 * long: complete traces=5 : --model pso --strategy optimal
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 2
#define BYTES 64
static _Atomic(atomic_long *) where[ROUNDS];
static atomic_long seen;

static char *filled(int with)
{
	return memset(malloc(BYTES), with, BYTES);
}

static void check(char *p, int with)
{
	for (int i = 0; i < BYTES; i++)
		assert(p[i] == with);
	free(p);
}

static void *owner(void *unused)
{
	for (int r = 0; r < ROUNDS; r++) {
		atomic_long *p = malloc(BYTES);

		atomic_init(&p[r], 0);
		atomic_store(&where[r], &p[r]);
		while (atomic_load_explicit(&p[r], memory_order_acquire) != 1)
			;
		for (int i = 0; i < BYTES / 8; i++)
			atomic_store_explicit(&p[i], 0x4141414141414141, memory_order_relaxed);
		free(p);

		char *one = filled('1'), *two = filled('2'), *three = filled('3');

		(void)atomic_load_explicit(&seen, memory_order_relaxed);
		check(three, '3');
		three = filled('4');
		check(one, '1');
		check(two, '2');
		check(three, '4');
	}
	return unused;
}

static void *other(void *unused)
{
	for (int r = 0; r < ROUNDS; r++) {
		atomic_long *p;

		while (!(p = atomic_load(&where[r])))
			;
		atomic_store_explicit(p, 1, memory_order_release);
		atomic_store_explicit(&seen, r, memory_order_release);

		char *own = filled('5');

		(void)atomic_load_explicit(&seen, memory_order_relaxed);
		check(own, '5');
	}
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
