/*
 * A worker waits for jobs for ever; main leaves one job and returns. The process ends although the worker is blocked, and not before that.
 * The sections of main and of the worker come in one order or the other. If the worker's is first, it waits, and no other thread can take the
 * lock after main's section: 2 traces.
 */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int jobs;

T(worker)
{
	pthread_mutex_lock(&m);
	for (;;) {
		while (!jobs)
			pthread_cond_wait(&c, &m);
		jobs--;
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, worker, NULL));
	pthread_mutex_lock(&m);
	jobs = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return 0;
}
