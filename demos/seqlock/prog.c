/*
 * A position that one thread updates and others read without a lock: a sequence number is odd while it is being
 * changed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint sequence;
static atomic_int x, y; /* always on the diagonal */

static void move_to(int to)
{
	atomic_fetch_add(&sequence, 1);
	atomic_store(&x, to);
	atomic_store(&y, to);
	atomic_fetch_add(&sequence, 1);
}

static void position(int *px, int *py)
{
	while (atomic_load(&sequence) % 2 != 0)
		;
	*px = atomic_load(&x);
	*py = atomic_load(&y);
}

static void *mover(void *arg)
{
	move_to(1);
	return NULL;
}

static void *watcher(void *arg)
{
	int px, py;

	position(&px, &py);
	assert(px == py);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, mover, NULL);
	pthread_create(&threads[1], NULL, watcher, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("on the diagonal");
	return 0;
}
