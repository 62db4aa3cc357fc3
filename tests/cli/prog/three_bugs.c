/* Depending on the order of three threads: exit status 3, a failed assertion, or a crash. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order[3], n;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	order[n++] = (int)(long)arg;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(order[0] != 1);
	if (order[0] == 2 && order[1] == 0)
		*(volatile int *)8 = 1;
	if (order[0] == 2)
		exit(3);
	return 0;
}
