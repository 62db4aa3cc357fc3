/*
 * Jobs through a queue, on the Apache Portable Runtime: a bounded buffer with a mutex and two conditions, in the pool of the thread that
 * created it; destroying the pool cleans up. The producer makes each job in a pool of the job's own; the consumer that works on it writes
 * its answer there, adds to the total under another mutex, and destroys the job with its pool.
 */
#include <assert.h>

#include "apr.h"

#ifndef JOBS
#define JOBS 5
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#define CAPACITY 2

struct job {
	apr_pool_t *pool;
	const char *text;
	int number;
};

struct queue {
	apr_thread_mutex_t *mutex;
	apr_thread_cond_t *not_empty, *not_full;
	struct job *ring[CAPACITY];
	int head, count, closed;
};

struct shop {
	struct queue *queue;
	apr_thread_mutex_t *mutex;
	int sum, done;
};

static int queues;

static apr_status_t queue_cleanup(void *data)
{
	struct queue *q = data;

	assert(q->count == 0);
	queues--;
	return APR_SUCCESS;
}

static struct queue *queue_create(apr_pool_t *pool)
{
	struct queue *q = apr_pcalloc(pool, sizeof *q);

	MUST(apr_thread_mutex_create(&q->mutex, APR_THREAD_MUTEX_DEFAULT, pool));
	MUST(apr_thread_cond_create(&q->not_empty, pool));
	MUST(apr_thread_cond_create(&q->not_full, pool));
	apr_pool_cleanup_register(pool, q, queue_cleanup, apr_pool_cleanup_null);
	queues++;
	return q;
}

static void queue_put(struct queue *q, struct job *job)
{
	MUST(apr_thread_mutex_lock(q->mutex));
	while (q->count == CAPACITY)
		MUST(apr_thread_cond_wait(q->not_full, q->mutex));
	q->ring[(q->head + q->count++) % CAPACITY] = job;
	MUST(apr_thread_cond_signal(q->not_empty));
	MUST(apr_thread_mutex_unlock(q->mutex));
}

static void queue_close(struct queue *q)
{
	MUST(apr_thread_mutex_lock(q->mutex));
	q->closed = 1;
	MUST(apr_thread_cond_broadcast(q->not_empty));
	MUST(apr_thread_mutex_unlock(q->mutex));
}

/* NULL when the queue is closed and empty. */
static struct job *queue_get(struct queue *q)
{
	struct job *job = NULL;

	MUST(apr_thread_mutex_lock(q->mutex));
	while (q->count == 0 && !q->closed)
		MUST(apr_thread_cond_wait(q->not_empty, q->mutex));
	if (q->count > 0) {
		job = q->ring[q->head];
		q->head = (q->head + 1) % CAPACITY;
		q->count--;
		MUST(apr_thread_cond_signal(q->not_full));
	}
	MUST(apr_thread_mutex_unlock(q->mutex));
	return job;
}

static void *APR_THREAD_FUNC producer(apr_thread_t *self, void *data)
{
	struct shop *shop = data;

	for (int n = 1; n <= JOBS; n++) {
		apr_pool_t *pool = own_pool();
		struct job *job = apr_palloc(pool, sizeof *job);

		job->pool = pool;
		job->number = n;
		job->text = apr_psprintf(pool, "job %d of %d", n, JOBS);
		queue_put(shop->queue, job);
	}
	queue_close(shop->queue);
	return NULL;
}

static void *APR_THREAD_FUNC consumer(apr_thread_t *self, void *data)
{
	struct shop *shop = data;
	struct job *job;

	while ((job = queue_get(shop->queue))) {
		const char *answer = apr_pstrcat(job->pool, job->text, ": done", NULL);
		int n, of;

		assert(sscanf(answer, "job %d of %d: done", &n, &of) == 2);
		assert(n == job->number && of == JOBS);
		MUST(apr_thread_mutex_lock(shop->mutex));
		shop->sum += n;
		shop->done++;
		MUST(apr_thread_mutex_unlock(shop->mutex));
		apr_pool_destroy(job->pool);
	}
	return NULL;
}

int main(void)
{
	struct shop shop = { 0 };
	apr_pool_t *pool;
	apr_thread_t *threads[1 + CONSUMERS];

	MUST(apr_initialize());
	MUST(apr_pool_create(&pool, NULL));
	shop.queue = queue_create(pool);
	MUST(apr_thread_mutex_create(&shop.mutex, APR_THREAD_MUTEX_DEFAULT, pool));
	threads[0] = spawn(producer, &shop, pool);
	for (int i = 0; i < CONSUMERS; i++)
		threads[1 + i] = spawn(consumer, &shop, pool);
	for (int i = 0; i < 1 + CONSUMERS; i++)
		finish(threads[i]);
	assert(shop.done == JOBS && shop.sum == JOBS * (JOBS + 1) / 2);
	apr_pool_destroy(pool);
	assert(queues == 0);
	apr_terminate();
	return 0;
}
