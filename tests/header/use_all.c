/* Uses all of simul.h. 3 values, 2 orders of the locks: 6 traces; as many executions end at the assumption of main, which is chosen. */
#include "simul.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *chooses(void *unused)
{
	int mine = simul_choose(3);
	simul_label("a value");
	pthread_mutex_lock(&mutex);
	value += mine;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *locks(void *unused)
{
	pthread_mutex_lock(&mutex);
	simul_atomic_begin();
	value *= 2;
	simul_atomic_end();
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	int holds = simul_running() ? simul_choose(2) : 0;

	simul_explore_begin();
	if (pthread_create(&a, 0, chooses, 0) || pthread_create(&b, 0, locks, 0))
		return 1;
	pthread_join(a, 0);
	pthread_join(b, 0);
	simul_explore_end();
	simul_assume(holds);
	printf("running %d, chose %d, went on\n", simul_running(), value);
	return 0;
}
