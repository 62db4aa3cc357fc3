/*
 * A bounded queue between two producers and a consumer. It is correct.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 1
#define PRODUCERS 2

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_full, not_empty;
	int item[CAPACITY];
	unsigned first, count;
};

static struct queue queue = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.not_full = PTHREAD_COND_INITIALIZER,
	.not_empty = PTHREAD_COND_INITIALIZER,
};

static void put(struct queue *q, int item)
{
	pthread_mutex_lock(&q->lock);
	while (q->count == CAPACITY)
		pthread_cond_wait(&q->not_full, &q->lock);
	q->item[(q->first + q->count) % CAPACITY] = item;
	q->count++;
	pthread_cond_signal(&q->not_empty);
	pthread_mutex_unlock(&q->lock);
}

static int take(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->count == 0)
		pthread_cond_wait(&q->not_empty, &q->lock);
	int item = q->item[q->first];
	q->first = (q->first + 1) % CAPACITY;
	q->count--;
	pthread_cond_signal(&q->not_full);
	pthread_mutex_unlock(&q->lock);
	return item;
}

static void *producer(void *arg)
{
	put(&queue, *(int *)arg);
	return NULL;
}

static void *consumer(void *arg)
{
	int *sum = arg;

	for (int i = 0; i < PRODUCERS; i++)
		*sum += take(&queue);
	return NULL;
}

int main(void)
{
	pthread_t producers[PRODUCERS], reader;
	int items[PRODUCERS] = { 40, 2 }, sum = 0;

	pthread_create(&reader, NULL, consumer, &sum);
	for (int i = 0; i < PRODUCERS; i++)
		pthread_create(&producers[i], NULL, producer, &items[i]);
	for (int i = 0; i < PRODUCERS; i++)
		pthread_join(producers[i], NULL);
	pthread_join(reader, NULL);
	printf("sum %d\n", sum);
	assert(sum == 42);
	assert(queue.count == 0);
	return 0;
}
