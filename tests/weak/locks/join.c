/*
 * Threads hand their results to the threads that join them, two levels deep. What is left to the schedule is which of two pairs is counted
 * first.
 */
#include "locks.h"

struct task {
	int from, to, sum;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int pairs;

static void *sum(void *arg)
{
	struct task *t = arg;

	if (t->to - t->from > 2) {
		struct task half[2] = { { t->from, (t->from + t->to) / 2, 0 }, { (t->from + t->to) / 2, t->to, 0 } };
		pthread_t child[2];

		for (int i = 0; i < 2; i++)
			CHECK(pthread_create(&child[i], NULL, sum, &half[i]));
		for (int i = 0; i < 2; i++)
			CHECK(pthread_join(child[i], NULL));
		t->sum = half[0].sum + half[1].sum;
		return NULL;
	}
	for (int i = t->from; i < t->to; i++)
		t->sum += i;
	CHECK(pthread_mutex_lock(&mutex));
	pairs++;
	CHECK(pthread_mutex_unlock(&mutex));
	return NULL;
}

int main(void)
{
	struct task all = { 0, 4, 0 };

	sum(&all);
	assert(all.sum == 6 && pairs == 2);
	return 0;
}
