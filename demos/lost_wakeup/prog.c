/*
 * A job with a completion: one thread computes, the other waits until the result is there.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct completion {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done;
	int result;
};

static bool is_done(struct completion *c)
{
	pthread_mutex_lock(&c->lock);
	bool done = c->done;
	pthread_mutex_unlock(&c->lock);
	return done;
}

static void complete(struct completion *c, int result)
{
	pthread_mutex_lock(&c->lock);
	c->result = result;
	c->done = true;
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

static int await(struct completion *c)
{
	int result;

	while (!is_done(c)) {
		pthread_mutex_lock(&c->lock);
		pthread_cond_wait(&c->changed, &c->lock);
		pthread_mutex_unlock(&c->lock);
	}
	pthread_mutex_lock(&c->lock);
	result = c->result;
	pthread_mutex_unlock(&c->lock);
	return result;
}

static void *compute(void *arg)
{
	int sum = 0;

	for (int i = 1; i <= 10; i++)
		sum += i;
	complete(arg, sum);
	return NULL;
}

int main(void)
{
	struct completion job = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0 };
	pthread_t worker;

	pthread_create(&worker, NULL, compute, &job);
	int sum = await(&job);
	pthread_join(worker, NULL);
	printf("1 + 2 + ... + 10 = %d\n", sum);
	assert(sum == 55);
	return 0;
}
