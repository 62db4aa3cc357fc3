/*
 * The block is freed while main still uses it, since a count of its users is changed in two steps. No thread is late:
 * the count is wrong.
 * kind: atomicity
 * never: without waiting
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct block {
	atomic_int users, sum;
};

static void hold(struct block *b)
{
	int users = atomic_load(&b->users);

	atomic_store(&b->users, users + 1);
}

static void drop(struct block *b)
{
	if (atomic_fetch_sub(&b->users, 1) == 1)
		free(b);
}

static void *use(void *block)
{
	struct block *b = block;

	hold(b);
	atomic_fetch_add(&b->sum, 1);
	drop(b);
	return NULL;
}

int main(void)
{
	struct block *b = calloc(1, sizeof(*b));
	pthread_t threads[2];

	b->users = 1;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, use, b);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	b->sum = 0;
	drop(b);
	return 0;
}
