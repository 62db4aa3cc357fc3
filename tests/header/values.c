/*
 * 3 values in a thread, 2 orders of its lock and main's, 10 values in main: 60. In a third of them (value 1) an assumption does not hold: 40
 * count. One fails.
 */
#include "simul.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_[2], logged;

static void *thread(void *unused)
{
	char text[32];
	int value = simul_choose(3);
	snprintf(text, sizeof text, "T has <%d>", value);
	simul_label(text);
	pthread_mutex_lock(&mutex);
	log_[logged++] = value;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t t;
	simul_label("set up");
	if (pthread_create(&t, 0, thread, 0))
		return 2;
	pthread_mutex_lock(&mutex);
	log_[logged++] = 5;
	pthread_mutex_unlock(&mutex);
	pthread_join(t, 0);
	int mine = simul_choose(10);
	simul_assume(log_[0] != 1 && log_[1] != 1);
	assert(!(log_[0] == 5 && log_[1] == 2 && mine == 7));
	return 0;
}
