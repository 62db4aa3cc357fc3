/*
 * Two threads each create a child, in any order. The child has a mutex on its stack, which it and its creator lock.
 *
 * A creator and its child can take that mutex in two orders, and the two pairs are independent: 2 * 2 = 4
 * traces. The mutex has no other name than its address, so the child of a thread must have the same stack in either
 * order of creation.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct box {
	sem_t ready, done;
	pthread_mutex_t *lock;
};

static void *child(void *arg)
{
	struct box *b = arg;
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

	b->lock = &own;
	sem_post(&b->ready);
	pthread_mutex_lock(&own);
	pthread_mutex_unlock(&own);
	sem_wait(&b->done);
	return NULL;
}

static void *creator(void *arg)
{
	struct box *b = malloc(sizeof *b);
	pthread_t t;

	sem_init(&b->ready, 0, 0);
	sem_init(&b->done, 0, 0);
	pthread_create(&t, NULL, child, b);
	sem_wait(&b->ready);
	pthread_mutex_lock(b->lock);
	pthread_mutex_unlock(b->lock);
	sem_post(&b->done);
	pthread_join(t, NULL);
	free(b);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, creator, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
